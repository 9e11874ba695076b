import 'survey-core/survey-core.css';
import { Model } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { QueryBuilder } from 'react-querybuilder';
import 'react-querybuilder/dist/query-builder.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<div style="width:800px"><div id=sv></div><h2>Filter</h2><div id=qb></div></div>';
const m = new Model({ title: 'Crew survey', showProgressBar: 'top', pages: [{ elements: [{ type: 'text', name: 'name', title: 'Your name', isRequired: true }, { type: 'dropdown', name: 'town', title: 'Home town', choices: ['Oslo', 'Lima', 'Linz'] }, { type: 'tagbox', name: 'gear', title: 'Gear you own', choices: ['Oar', 'Sail', 'Rope'] }, { type: 'rating', name: 'mood', title: 'How was the voyage?' }, { type: 'boolean', name: 'again', title: 'Would you sail again?' }, { type: 'checkbox', name: 'meals', title: 'Meals', choices: ['Fish', 'Bread'], showOtherItem: true }] }, { elements: [{ type: 'matrix', name: 'mx', title: 'Rate the crew', columns: ['Bad', 'Good'], rows: ['Cook', 'Mate'] }, { type: 'ranking', name: 'rank', title: 'Order the ports', choices: ['A port', 'B port', 'C port'] }, { type: 'imagepicker', name: 'img', title: 'Pick a flag', choices: [{ value: 'red', imageLink: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="60" height="40"%3E%3Crect width="60" height="40" fill="red"/%3E%3C/svg%3E', text: 'Red flag' }, { value: 'blue', imageLink: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="60" height="40"%3E%3Crect width="60" height="40" fill="blue"/%3E%3C/svg%3E', text: 'Blue flag' }] }, { type: 'matrixdynamic', name: 'cargo', title: 'Cargo list', columns: [{ name: 'what', cellType: 'text' }, { name: 'kind', cellType: 'dropdown', choices: ['Tea', 'Salt'] }], rowCount: 1 }, { type: 'comment', name: 'note', title: 'Anything else?' }] }] });
m.onComplete.add(x => { S.done = x.data; }); m.onValueChanged.add(() => { S.data = m.data; }); renderSurvey(m, document.getElementById('sv'));
function Q() { const [q, set] = React.useState({ combinator: 'and', rules: [] }); S.query = q; return <QueryBuilder fields={[{ name: 'tons', label: 'Tons', inputType: 'number' }, { name: 'port', label: 'Port' }]} query={q} onQueryChange={set} />; }
createRoot(document.getElementById('qb')).render(<Q />);
