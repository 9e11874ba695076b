import { Dropzone } from 'dropzone';
import 'dropzone/dist/dropzone.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<form class=dropzone id=zone></form>';
S.zone = new Dropzone('#zone', { url: '/nowhere', autoProcessQueue: false, addRemoveLinks: true });
