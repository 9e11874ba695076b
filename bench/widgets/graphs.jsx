import cytoscape from 'cytoscape';
import Konva from 'konva';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:900px"><h2>Graph</h2><div id="cy" style="width:400px;height:250px;border:1px solid #999"></div><h2>Board</h2><div id="ko" style="width:500px;height:250px;border:1px solid #999"></div></div>`;
const cy = S.cy = cytoscape({ container: document.getElementById('cy'), elements: [{ data: { id: 'a', label: 'Anchor' }, position: { x: 80, y: 60 } }, { data: { id: 'b', label: 'Buoy' }, position: { x: 300, y: 60 } }, { data: { id: 'ab', source: 'a', target: 'b' } }], style: [{ selector: 'node', style: { label: 'data(label)' } }], layout: { name: 'preset', fit: false }, userZoomingEnabled: false });
cy.on('tap', 'node', e => { S.node = e.target.id(); });
const stage = new Konva.Stage({ container: 'ko', width: 500, height: 250 }), layer = new Konva.Layer(); stage.add(layer);
const r = S.r = new Konva.Rect({ x: 40, y: 40, width: 80, height: 60, fill: 'teal', draggable: true }), t = new Konva.Text({ x: 45, y: 60, text: 'Boat', fontSize: 20, listening: false }); layer.add(r, t);
r.on('click', () => { S.hit = true; }); r.on('dragend', () => { S.at = [r.x(), r.y()]; });
