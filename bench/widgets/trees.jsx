import React from 'react';
import { createRoot } from 'react-dom/client';
import { Wunderbaum } from 'wunderbaum';
import 'wunderbaum/dist/wunderbaum.css';
import RcTree from 'rc-tree';
import 'rc-tree/assets/index.css';
import TreeSelect from 'rc-tree-select';
import Cascader from 'rc-cascader';
import { UncontrolledTreeEnvironment, Tree, StaticTreeDataProvider } from 'react-complex-tree';
import 'react-complex-tree/lib/style-modern.css';
import CheckboxTree from 'react-checkbox-tree';
import Treeselect from 'treeselectjs';
import 'treeselectjs/dist/treeselectjs.css';
const S = window.S = {};
const boats = [{ key: 'deck', title: 'Deck', value: 'deck', label: 'Deck', children: [{ key: 'mast', title: 'Mast', value: 'mast', label: 'Mast' }, { key: 'rail', title: 'Rail', value: 'rail', label: 'Rail' }] }, { key: 'hold', title: 'Hold', value: 'hold', label: 'Hold', children: [{ key: 'bilge', title: 'Bilge', value: 'bilge', label: 'Bilge' }] }];
const items = { root: { index: 'root', isFolder: true, children: ['Fruit', 'Bread'], data: 'root' }, Fruit: { index: 'Fruit', isFolder: true, canMove: true, canRename: true, children: ['Apple', 'Pear'], data: 'Fruit' }, Bread: { index: 'Bread', canMove: true, canRename: true, data: 'Bread' }, Apple: { index: 'Apple', canMove: true, canRename: true, data: 'Apple' }, Pear: { index: 'Pear', canMove: true, canRename: true, data: 'Pear' } };
function Boxes() {
	const [checked, setChecked] = React.useState([]), [expanded, setExpanded] = React.useState([]);
	return <CheckboxTree nodes={[{ value: 'north', label: 'North pier', children: [{ value: 'b1', label: 'Berth 1' }, { value: 'b2', label: 'Berth 2' }] }]} checked={checked} expanded={expanded} onCheck={c => { setChecked(c); S.berths = c.join(); }} onExpand={setExpanded} icons={{}} />;
}
createRoot(document.getElementById('root')).render(<div style={{ padding: 20, width: 500 }}>
	<h2>Parts</h2><RcTree treeData={boats} checkable draggable onCheck={k => { S.checked = k.join(); }} onSelect={k => { S.selected = k.join(); }} onDrop={i => { S.drop = i.dragNode.key + '>' + i.node.key; }} />
	<h2>Choose</h2><TreeSelect style={{ width: 300 }} treeData={boats} placeholder="Choose a part" onChange={v => { S.part = v; }} showSearch treeNodeFilterProp="title" />
	<Cascader options={boats} onChange={v => { S.path = v.join('/'); }} placeholder="Choose a path" />
	<h2>Store</h2><UncontrolledTreeEnvironment dataProvider={new StaticTreeDataProvider(items, (i, data) => ({ ...i, data }))} getItemTitle={i => i.data} viewState={{}} canDragAndDrop canReorderItems canDropOnFolder onRenameItem={(i, n) => { S.renamed = n; }} onSelectItems={x => { S.store = x.join(); }} onDrop={(x, t) => { S.moved = x.map(i => i.index).join() + '>' + (t.targetItem || t.parentItem); }}><Tree treeId="t" rootItem="root" treeLabel="Store" /></UncontrolledTreeEnvironment>
	<h2>Berths</h2><Boxes /><div id="ts" /><h2>Log</h2><div id="wb" style={{ height: 200 }} ref={e => {
		if (!e || S.wb) return;
		S.wb = new Wunderbaum({ element: e, checkbox: true, source: [{ title: 'March', expanded: true, children: [{ title: 'Monday' }, { title: 'Tuesday' }] }, { title: 'April', children: [{ title: 'Friday' }] }], edit: { trigger: ['clickActive', 'F2', 'macEnter'], apply: x => { S.edited = x.newValue; } }, activate: x => { S.active = x.node.title; }, select: () => { S.ticked = S.wb.getSelectedNodes().map(n => n.title).join(); } });
		const t = new Treeselect({ parentHtmlContainer: document.getElementById('ts'), options: [{ name: 'England', value: 'en', children: [{ name: 'London', value: 'lo', children: [] }, { name: 'Leeds', value: 'le', children: [] }] }, { name: 'France', value: 'fr', children: [] }], placeholder: 'Choose places' });
		t.srcElement.addEventListener('input', ev => { S.places = ev.detail.join(); });
	}} /></div>);
