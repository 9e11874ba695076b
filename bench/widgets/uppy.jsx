import Uppy from '@uppy/core';
import Dashboard from '@uppy/dashboard';
import '@uppy/core/css/style.min.css';
import '@uppy/dashboard/css/style.min.css';
const S = window.S = {};
S.uppy = new Uppy().use(Dashboard, { inline: true, target: '#root', metaFields: [{ id: 'caption', name: 'Caption', placeholder: 'what it shows' }] });
S.names = () => S.uppy.getFiles().map(f => f.name).join();
