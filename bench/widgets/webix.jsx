import * as webix from 'webix/webix.js';
import 'webix/webix.css';
const S = window.S = {};
window.webix = webix;
const boats = ['Heron', 'Tern', 'Gull', 'Auk', 'Skua', 'Puffin', 'Kite'].map((name, i) => ({ id: i + 1, name, tons: (i * 37) % 50 + 3, state: 'in' }));
webix.ui({ container: 'root', width: 800, rows: [
	{ view: 'menu', data: [{ value: 'File', submenu: ['Open', 'Save'] }, { value: 'Edit', submenu: ['Copy', 'Paste'] }], on: { onMenuItemClick(id) { S.item = this.getMenuItem(id).value; } } },
	{ view: 'form', id: 'f', elements: [
		{ view: 'text', name: 'name', label: 'Name' }, { view: 'richselect', name: 'town', label: 'Town', options: ['Oslo', 'Lima', 'Linz'] }, { view: 'combo', name: 'port', label: 'Port', options: ['Lisbon', 'Lyon', 'Riga'] },
		{ view: 'multiselect', name: 'crew', label: 'Crew', options: ['Ann', 'Bo', 'Cy'] }, { view: 'datepicker', name: 'day', label: 'Departure', value: new Date(2026, 2, 10) }, { view: 'counter', name: 'boats', label: 'Boats', value: 2 },
		{ view: 'slider', name: 'volume', label: 'Volume', value: 20, title: '#value#' }, { view: 'checkbox', name: 'agree', label: 'Agree' }, { view: 'switch', name: 'wake', label: 'Wake me' }, { view: 'radio', name: 'pay', label: 'Pay', options: ['Cash', 'Card'] }, { view: 'segmented', name: 'seg', options: ['List', 'Cards'] }, { view: 'textarea', name: 'note', label: 'Note', height: 60 }, { view: 'colorpicker', name: 'colour', label: 'Colour' } ] },
	{ cols: [{ view: 'button', value: 'Sink', click: () => webix.confirm({ title: 'Sink the boat?', text: 'It cannot be raised again.', ok: 'Sink it' }).then(() => { S.sunk = true; }) }, { view: 'button', value: 'Tie', click: () => webix.message('Rope is tied') }, { view: 'button', value: 'Log book', click: () => webix.ui({ view: 'window', modal: true, position: 'center', head: 'Harbour log', close: true, body: { template: 'Quiet night', height: 60 } }).show() }] },
	{ view: 'tabview', height: 100, cells: [{ header: 'Hull', body: { template: 'Oak planks' } }, { header: 'Sails', body: { template: 'Red canvas' } }] },
	{ view: 'accordion', height: 130, multi: false, rows: [{ header: 'First', body: 'Open water', height: 60 }, { header: 'More', body: 'Hidden treasure', collapsed: true, height: 60 }] },
	{ view: 'datatable', id: 'dt', columns: [{ id: 'name', header: 'Name', sort: 'string', width: 200, editor: 'text' }, { id: 'tons', header: 'Tons', sort: 'int' }, { id: 'state', header: 'State', editor: 'select', options: ['in', 'out'] }], editable: true, editaction: 'dblclick', select: 'row', height: 180, data: boats, pager: { container: '', template: '{common.prev()}{common.pages()}{common.next()}', size: 3, group: 3, apiOnly: true }, on: { onSelectChange() { S.row = this.getSelectedItem() && this.getSelectedItem().name; } } },
	{ view: 'list', id: 'ls', data: ['Fog', 'Tide', 'Dock'].map(value => ({ value })), template: '#value# item', height: 110, drag: 'order' },
	{ view: 'tree', id: 'tr', height: 120, data: [{ value: 'Deck', data: [{ value: 'Mast' }] }, { value: 'Hold' }], template: '{common.icon()}{common.checkbox()}<span>#value#</span>', on: { onItemClick(id) { S.node = this.getItem(id).value; }, onItemCheck() { S.ticked = this.getChecked().map(i => this.getItem(i).value).join(); } } },
	{ view: 'pager', id: 'pg', size: 3, group: 3, template: '{common.prev()}{common.pages()}{common.next()}' }, { view: 'list', id: 'l2', pager: 'pg', data: boats.map(b => ({ value: b.name + ' boat' })), height: 100 },
] });
