import * as B from 'bootstrap';
import 'bootstrap/dist/css/bootstrap.css';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div class="p-3">
<div class="dropdown"><button class="btn btn-primary dropdown-toggle" data-bs-toggle=dropdown>Actions</button><ul class=dropdown-menu><li><a class=dropdown-item href="#" onclick="S.a='copy'">Copy</a><li><a class=dropdown-item href="#" onclick="S.a='move'">Move</a></ul></div>
<button class=btn data-bs-toggle=modal data-bs-target="#m">Launch</button><div class="modal fade" id=m tabindex=-1><div class=modal-dialog><div class=modal-content><div class=modal-header><h5>Modal title</h5><button class=btn-close data-bs-dismiss=modal aria-label=Close></button></div><div class=modal-body><input id=x aria-label=Reason></div><div class=modal-footer><button class=btn data-bs-dismiss=modal onclick="S.saved=x.value">Save changes</button></div></div></div></div>
<button class=btn data-bs-toggle=collapse data-bs-target="#c">Details</button><div class=collapse id=c>Some placeholder content</div>
<ul class="nav nav-tabs"><li class=nav-item><button class="nav-link active" data-bs-toggle=tab data-bs-target="#p1">Home</button><li class=nav-item><button class=nav-link data-bs-toggle=tab data-bs-target="#p2">Profile</button></ul><div class=tab-content><div class="tab-pane active" id=p1>At home</div><div class=tab-pane id=p2>About me</div></div>
<button class=btn data-bs-toggle=tooltip title="Only a hint">Hint</button>
<button class=btn data-bs-toggle=popover data-bs-content="Rather long text">Pop</button>
<button class=btn data-bs-toggle=offcanvas data-bs-target="#o">Side</button><div class="offcanvas offcanvas-start" id=o tabindex=-1><button class=btn-close data-bs-dismiss=offcanvas aria-label="Close side"></button>From the side</div>
<button class=btn id=tb>Notify</button><div class="toast position-fixed top-0 end-0" id=t><div class=toast-body>Hello from the toast</div></div>
<div class="form-check form-switch"><input class=form-check-input type=checkbox id=sw><label class=form-check-label for=sw>Default switch</label></div>
<input type=range class=form-range id=r aria-label=Range>
<div class=btn-group><input type=radio class=btn-check name=b id=b1><label class="btn btn-outline-primary" for=b1>Left</label><input type=radio class=btn-check name=b id=b2><label class="btn btn-outline-primary" for=b2>Right</label></div>
<div id=car class="carousel slide" style="height:60px"><div class=carousel-inner><div class="carousel-item active">Slide one</div><div class=carousel-item>Slide two</div></div><button class=carousel-control-next data-bs-target="#car" data-bs-slide=next><span class=visually-hidden>Next slide</span></button></div>
</div>`;
for (const e of document.querySelectorAll('[data-bs-toggle=tooltip]')) new B.Tooltip(e);
for (const e of document.querySelectorAll('[data-bs-toggle=popover]')) new B.Popover(e);
document.getElementById('tb').onclick = () => B.Toast.getOrCreateInstance(document.getElementById('t')).show();
