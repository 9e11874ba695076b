import './jquery-global.js';
import 'jquery-ui/dist/jquery-ui.js';
import 'jquery-ui/dist/themes/base/jquery-ui.css';
const S = window.S = {};
$('#root').html(`<label>Date <input id=d></label><label>Language <input id=a></label><div id=s style="width:300px;margin:20px"></div><input id=n aria-label=Amount value=3>
<select id=m aria-label=Speed><option>Slow<option>Medium<option>Fast</select><div id=t><ul><li><a href="#t1">First</a><li><a href="#t2">Second</a></ul><div id=t1>One</div><div id=t2>Two and more</div></div>
<div id=acc><h3>Section 1</h3><div>Text one</div><h3>Section 2</h3><div>Text two</div></div><ul id=l><li>Alpha<li>Beta<li>Gamma</ul><button id=o>Open</button><div id=g title=Message>Done well</div>
<div id=drag style="width:60px;height:60px;background:#cdf">Drag me</div><div id=drop style="width:120px;height:100px;background:#fdc">Drop here</div><ul id=menu style="width:150px"><li><div>Books</div><li><div>Music</div><ul><li><div>Rock</div><li><div>Jazz</div></ul></ul>`);
$('#d').datepicker({ defaultDate: new Date(2026, 2, 10), onSelect: v => S.date = v });
$('#a').autocomplete({ source: ['ActionScript', 'Java', 'JavaScript'], select: (_, u) => S.lang = u.item.value });
$('#s').slider({ change: (_, u) => S.slider = u.value });
$('#n').spinner({ spin: (_, u) => S.spin = u.value });
$('#m').selectmenu({ change: (_, u) => S.speed = u.item.value });
$('#t').tabs(); $('#acc').accordion(); $('#menu').menu({ select: (_, u) => S.menu = u.item.text() });
$('#l').sortable(); $('#g').dialog({ autoOpen: false, buttons: { Ok() { S.ok = true; $(this).dialog('close'); } } }); $('#o').on('click', () => $('#g').dialog('open'));
$('#drag').draggable(); $('#drop').droppable({ drop: () => S.dropped = true });
