import 'trix';
import 'trix/dist/trix.css';
document.getElementById('root').innerHTML = '<input id=x type=hidden value="Some words"><trix-editor input=x aria-label=Message></trix-editor>';
