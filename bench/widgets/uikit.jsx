import UIkit from 'uikit';
import Icons from 'uikit/dist/js/uikit-icons';
import 'uikit/dist/css/uikit.min.css';
UIkit.use(Icons);
window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:700px">
<button class="uk-button" uk-toggle="target: #m">Sink</button><div id=m uk-modal><div class="uk-modal-dialog uk-modal-body"><button class="uk-modal-close-default" type=button uk-close></button><h2 class=uk-modal-title>Sink the boat?</h2><p>It cannot be raised again.</p><button class="uk-button" onclick="S.sunk=true">Sink it</button></div></div>
<button class="uk-button" type=button>Hover me</button><div uk-dropdown="delay-hide: 300"><ul class="uk-nav uk-dropdown-nav"><li><a href="#" onclick="S.item='copy'">Copy</a></li><li><a href="#" onclick="S.item='paste'">Paste</a></li></ul></div>
<ul uk-accordion><li><a class=uk-accordion-title href>More</a><div class=uk-accordion-content>Hidden treasure</div></li></ul>
<ul uk-tab><li><a href="#">Hull</a></li><li><a href="#">Sails</a></li></ul><ul class=uk-switcher><li>Oak planks</li><li>Red canvas</li></ul>
<button class="uk-button" uk-toggle="target: #off">Log</button><div id=off uk-offcanvas><div class=uk-offcanvas-bar><button class=uk-offcanvas-close type=button uk-close></button><h3>Harbour log</h3><p>Quiet night</p></div></div>
<div uk-filter="target: .f"><ul class="uk-subnav"><li uk-filter-control="[data-c='red']"><a href="#">Red ones</a></li><li uk-filter-control><a href="#">All</a></li></ul><ul class=f><li data-c=red>Ruby</li><li data-c=blue>Sapphire</li></ul></div>
<ul uk-sortable="handle: .h" class=uk-list id=so><li><span class=h uk-icon="icon: table"></span> Fog</li><li><span class=h uk-icon="icon: table"></span> Tide</li><li><span class=h uk-icon="icon: table"></span> Dock</li></ul>
<div uk-form-custom="target: true"><select aria-label=Size><option>Small<option>Large</select><span></span></div>
<div class="uk-form-custom" uk-form-custom><input type=file aria-label="Papers" onchange="S.file=this.files[0].name"><button class="uk-button" type=button>Attach papers</button></div>
<div uk-slider><ul class="uk-slider-items uk-child-width-1-1"><li>First light</li><li>Second light</li><li>Third light</li></ul><a href uk-slidenav-previous uk-slider-item=previous></a><a href uk-slidenav-next uk-slider-item=next></a></div>
<button class="uk-button" uk-tooltip="title: High at nine">Tide</button>
<button class="uk-button" onclick="UIkit.modal.prompt('Name of the boat:', 'Tern').then(v => S.boat = v)">Name</button>
<button class="uk-button" onclick="UIkit.modal.confirm('Leave the harbour?').then(() => S.left = true, () => S.left = false)">Leave</button>
<button class="uk-button" onclick="UIkit.notification({message: 'Rope is tied', status: 'success'})">Tie</button>
<a href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='90' height='90'/%3E" data-caption="The old pier" data-type=image id=lb>Picture</a></div>`;
window.UIkit = UIkit;
document.getElementById('so').addEventListener('moved', () => { S.order = [...document.querySelectorAll('#so li')].map(l => l.textContent.trim()).join(); });
UIkit.util.on('#so', 'moved', () => { S.order = [...document.querySelectorAll('#so li')].map(l => l.textContent.trim()).join(); });
