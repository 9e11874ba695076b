import 'layui/dist/css/layui.css';
import 'layui';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:860px">
<button class="layui-btn" id="dd">Actions <i class="layui-icon layui-icon-down"></i></button>
<button class="layui-btn layui-btn-primary" id="ddclick">Nested menu</button>
<div id="ctx" style="width:200px;height:50px;background:#eee">Right click here</div>
<form class="layui-form" lay-filter="f" action="">
<div class="layui-form-item"><label class="layui-form-label">Name</label><div class="layui-input-block"><input type="text" name="name" lay-verify="required" placeholder="Enter a name" autocomplete="off" class="layui-input" lay-affix="clear"></div></div>
<div class="layui-form-item"><label class="layui-form-label">Password</label><div class="layui-input-block"><input type="password" name="pw" lay-affix="eye" placeholder="Enter a password" class="layui-input"></div></div>
<div class="layui-form-item"><label class="layui-form-label">Amount</label><div class="layui-input-block"><input type="text" name="amount" lay-affix="number" step="1" min="0" max="20" value="2" class="layui-input"></div></div>
<div class="layui-form-item"><label class="layui-form-label">City</label><div class="layui-input-block"><select name="city" lay-filter="city"><option value="">Choose a city</option><option value="lis">Lisbon</option><option value="osl">Oslo</option><option value="lim" disabled>Lima</option><option value="por">Porto</option></select></div></div>
<div class="layui-form-item"><label class="layui-form-label">Module</label><div class="layui-input-block"><select name="module" lay-search=""><option value="">Search a module</option><option value="1">layer</option><option value="2">form</option><option value="3">table</option><option value="4">tree</option></select></div></div>
<div class="layui-form-item"><label class="layui-form-label">Hobbies</label><div class="layui-input-block"><input type="checkbox" name="like[write]" title="Writing"><input type="checkbox" name="like[read]" title="Reading" checked><input type="checkbox" name="like[game]" title="Gaming" lay-skin="tag"></div></div>
<div class="layui-form-item"><label class="layui-form-label">Wi-Fi</label><div class="layui-input-block"><input type="checkbox" name="wifi" lay-skin="switch" lay-text="ON|OFF"></div></div>
<div class="layui-form-item"><label class="layui-form-label">Sex</label><div class="layui-input-block"><input type="radio" name="sex" value="m" title="Male"><input type="radio" name="sex" value="f" title="Female"></div></div>
<div class="layui-form-item"><div class="layui-input-block"><button type="submit" class="layui-btn" lay-submit lay-filter="go">Submit form</button><button type="reset" class="layui-btn layui-btn-primary">Reset form</button></div></div>
</form>
<div class="layui-form"><div class="layui-inline"><label class="layui-form-label">Day</label><div class="layui-input-inline"><input type="text" class="layui-input" id="day" placeholder="yyyy-MM-dd"></div></div>
<div class="layui-inline"><label class="layui-form-label">Stay</label><div class="layui-inline" id="stay"><div class="layui-input-inline"><input type="text" autocomplete="off" id="from" class="layui-input" placeholder="Start date"></div><div class="layui-form-mid">-</div><div class="layui-input-inline"><input type="text" autocomplete="off" id="to" class="layui-input" placeholder="End date"></div></div></div>
<div class="layui-inline"><label class="layui-form-label">Time</label><div class="layui-input-inline"><input type="text" class="layui-input" id="time" placeholder="HH:mm:ss"></div></div>
<div class="layui-inline"><label class="layui-form-label">Month</label><div class="layui-input-inline"><input type="text" class="layui-input" id="month" placeholder="yyyy-MM"></div></div></div>
<p>Volume</p><div id="slider" style="margin:20px 0;width:300px"></div><p>Price</p><div id="slider2" style="margin:20px 0;width:300px"></div>
<p>Rate us</p><div id="rate"></div><p>Colour</p><div id="colour"></div>
<div class="layui-tabs" id="tabs" lay-options="{closable: true}"><ul class="layui-tabs-header"><li lay-id="a" class="layui-this">Music</li><li lay-id="b">Videos</li><li lay-id="c">Podcasts</li></ul><div class="layui-tabs-body"><div class="layui-tabs-item layui-show">Music panel</div><div class="layui-tabs-item">Videos panel</div><div class="layui-tabs-item">Podcasts panel</div></div></div>
<div class="layui-tab" lay-filter="old"><ul class="layui-tab-title"><li class="layui-this">Users</li><li>Goods</li></ul><div class="layui-tab-content"><div class="layui-tab-item layui-show">Users panel</div><div class="layui-tab-item">Goods panel</div></div></div>
<ul class="layui-nav" lay-filter="nav"><li class="layui-nav-item"><a href="javascript:;">Home</a></li><li class="layui-nav-item"><a href="javascript:;">Products</a><dl class="layui-nav-child"><dd><a href="javascript:;">Option one</a></dd><dd><a href="javascript:;">Option two</a></dd></dl></li></ul>
<div class="layui-collapse" lay-accordion lay-filter="coll"><div class="layui-colla-item"><div class="layui-colla-title">Shipping</div><div class="layui-colla-content layui-show"><p>Ships in two days</p></div></div><div class="layui-colla-item"><div class="layui-colla-title">Returns</div><div class="layui-colla-content"><p>Thirty days to return</p></div></div></div>
<button class="layui-btn" id="msg">Show message</button><button class="layui-btn" id="conf">Delete boats</button><button class="layui-btn" id="prom">Ask name</button><button class="layui-btn" id="page">Open page layer</button><button class="layui-btn" id="drawer">Open drawer</button><button class="layui-btn" id="tip">Hover me</button>
<div id="tree"></div><div id="transfer" style="margin:15px 0"></div><div id="pager"></div>
<table class="layui-hide" id="table" lay-filter="table"></table>
<table class="layui-hide" id="treetable"></table>
<button type="button" class="layui-btn" id="upload"><i class="layui-icon layui-icon-upload"></i> Choose file</button>
</div>`;
const { layer, form, laydate, dropdown, slider, rate, colorpicker, tree, transfer, laypage, table, treeTable, upload, element, tabs, $, jquery } = layui;
const q = id => document.getElementById(id);
dropdown.render({ elem: '#dd', data: [{ title: 'Rename', id: 'rename' }, { title: 'Remove', id: 'remove' }, { type: '-' }, { title: 'Archive', id: 'archive' }], click: d => { S.act = d.id; } });
dropdown.render({ elem: '#ddclick', trigger: 'click', data: [{ title: 'Plain', id: 'plain' }, { title: 'Share', id: 'share', child: [{ title: 'By mail', id: 'mail' }, { title: 'By link', id: 'link' }] }], click: d => { S.nest = d.id; } });
dropdown.render({ elem: '#ctx', trigger: 'contextmenu', data: [{ title: 'Copy it', id: 'copy' }, { title: 'Paste it', id: 'paste' }], click: d => { S.ctx = d.id; } });
form.render();
form.on('submit(go)', d => { S.form = d.field; return false; });
form.on('select(city)', d => { S.city = d.value; });
laydate.render({ elem: '#day', lang: 'en', done: v => { S.day = v; } });
laydate.render({ elem: '#stay', lang: 'en', range: ['#from', '#to'], done: v => { S.stay = v; } });
laydate.render({ elem: '#time', lang: 'en', type: 'time', done: v => { S.time = v; } });
laydate.render({ elem: '#month', lang: 'en', type: 'month', done: v => { S.month = v; } });
slider.render({ elem: '#slider', value: 20, input: true, change: v => { S.vol = v; } });
slider.render({ elem: '#slider2', range: true, value: [20, 60], change: v => { S.price = v; } });
rate.render({ elem: '#rate', text: true, setText: function (v) { this.span.text(v + ' stars'); }, choose: v => { S.rate = v; } });
colorpicker.render({ elem: '#colour', color: '#1c97f5', done: c => { S.colour = c; } });
element.render();
q('msg').onclick = () => layer.msg('Saved for you');
q('conf').onclick = () => layer.confirm('They cannot be brought back.', { title: 'Delete 3 boats?', btn: ['Yes, delete', 'Keep them'] }, i => { S.gone = true; layer.close(i); });
q('prom').onclick = () => layer.prompt({ title: 'Your nickname', btn: ['Save name', 'Leave it'] }, (v, i) => { S.nick = v; layer.close(i); });
q('page').onclick = () => layer.open({ type: 1, title: 'Page layer', area: ['400px', '260px'], content: '<div style="padding:20px">Layer content here <button class="layui-btn" onclick="S.inlayer = true">Inside button</button></div>', end: () => { S.pageclosed = true; } });
q('drawer').onclick = () => layer.open({ type: 1, title: 'Drawer title', offset: 'r', anim: 'slideLeft', area: ['320px', '100%'], shade: 0.1, shadeClose: true, move: false, content: '<div style="padding:16px">Drawer content here</div>', end: () => { S.drawerclosed = true; } });
q('tip').onmouseenter = () => layer.tips('A tip for you', q('tip'));
tree.render({ elem: '#tree', id: 'tr', showCheckbox: true, data: [{ title: 'Birds', id: 1, children: [{ title: 'Owl', id: 11 }, { title: 'Heron', id: 12 }] }, { title: 'Fish', id: 2, children: [{ title: 'Trout', id: 21 }] }], click: o => { S.node = o.data.title; }, oncheck: () => setTimeout(() => { S.tree = tree.getChecked('tr').flatMap(n => [n.title, ...(n.children || []).map(c => c.title)]); }) });
transfer.render({ elem: '#transfer', id: 'tf', title: ['Candidates', 'Chosen'], showSearch: true, data: [{ value: 'ann', title: 'Ann Bell' }, { value: 'bo', title: 'Bo Carver' }, { value: 'cy', title: 'Cy Dean' }], onchange: () => { S.moved = transfer.getData('tf').map(d => d.value); } });
laypage.render({ elem: 'pager', count: 100, limit: 10, layout: ['prev', 'page', 'next', 'limit', 'skip'], prev: 'Prev', next: 'Next', jump: (o, first) => { if (!first) { S.page = o.curr; S.limit = o.limit; } } });
const boats = ['Albatross', 'Bittern', 'Curlew', 'Dunlin', 'Egret', 'Fulmar', 'Gannet'].map((name, i) => ({ id: i + 1, name, len: [30, 10, 20, 40, 25, 15, 35][i], port: i % 2 ? 'Brest' : 'Nantes' }));
table.render({ elem: '#table', id: 'tb', data: boats, page: { prev: 'Before', next: 'After', limit: 3, limits: [3, 6], groups: 3 }, limit: 3, limits: [3, 6], cols: [[{ type: 'checkbox' }, { field: 'name', title: 'Boat', sort: true }, { field: 'len', title: 'Length', sort: true }, { field: 'port', title: 'Port', edit: 'text' }, { title: 'Tools', templet: () => '<a class="layui-btn layui-btn-xs" lay-event="edit">Edit</a><a class="layui-btn layui-btn-xs layui-btn-danger" lay-event="del">Drop</a>' }]] });
table.on('tool(table)', o => { S.tool = o.event + ' ' + o.data.name; });
table.on('checkbox(table)', () => { S.rows = table.checkStatus('tb').data.map(r => r.name); });
table.on('edit(table)', o => { S.cell = o.data.name + ' ' + o.value; });
treeTable.render({ elem: '#treetable', tree: {}, data: [{ id: 1, name: 'Europe', children: [{ id: 11, name: 'Portugal' }, { id: 12, name: 'Norway' }] }, { id: 2, name: 'America', children: [{ id: 21, name: 'Peru' }] }], cols: [[{ field: 'name', title: 'Place' }, { field: 'id', title: 'Number' }]] });
upload.render({ elem: '#upload', auto: false, accept: 'file', choose: o => o.preview((i, f) => { S.file = f.name; }) });
S.nextMonth = d => { const n = new Date(); const m = new Date(n.getFullYear(), n.getMonth() + 1, 1); return m.getFullYear() + '-' + String(m.getMonth() + 1).padStart(2, '0') + (d ? '-' + String(d).padStart(2, '0') : ''); };
