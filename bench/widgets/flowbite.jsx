import 'flowbite/dist/flowbite.min.css';
import { Datepicker, Dropdown, Modal, Drawer, Tabs, Accordion, Popover, initFlowbite } from 'flowbite';
const S = window.S = {};
const id = x => document.getElementById(x);
id('root').innerHTML = `<div style="padding:20px;width:700px">
<button id=sink>Sink</button><div id=dialog tabindex=-1 aria-hidden=true class="hidden fixed top-0 left-0 right-0 z-50 w-full overflow-x-hidden overflow-y-auto" style="position:fixed"><div style="position:relative;background:#fff;margin:80px auto;width:300px;padding:20px;z-index:60"><h3>Sink the boat?</h3><p>It cannot be raised again.</p><button id=sinkit>Sink it</button></div></div>
<button id=actions>Actions</button><div id=menu class="hidden z-10" style="background:#fff;border:1px solid #888"><ul><li><a href="#paint">Paint</a></li><li><a href="#tow">Tow</a></li></ul></div>
<button id=open>Log book</button><div id=drawer tabindex=-1 class="fixed z-40 h-screen transition-transform -translate-x-full" style="position:fixed;left:0;top:0;width:260px;background:#eee;padding:20px"><label for=entry>Entry</label><input id=entry></div>
<ul role=tablist><li><button id=ta role=tab aria-controls=pa>Crew</button></li><li><button id=tb role=tab aria-controls=pb>Cargo</button></li></ul><div id=pa role=tabpanel class=hidden>Ann and Bo</div><div id=pb role=tabpanel class=hidden>Rope and tar</div>
<label for=date>Departure</label><input id=date type=text value="03/10/2026"></div>`;
const modal = new Modal(id('dialog')); id('sink').onclick = () => modal.show(); id('sinkit').onclick = () => { S.sunk = true; modal.hide(); };
new Dropdown(id('menu'), id('actions'));
const drawer = new Drawer(id('drawer')); id('open').onclick = () => drawer.show();
new Tabs(id('ta').closest('ul'), [{ id: 'a', triggerEl: id('ta'), targetEl: id('pa') }, { id: 'b', triggerEl: id('tb'), targetEl: id('pb') }]);
new Datepicker(id('date'), { autohide: true });
