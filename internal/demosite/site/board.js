// All that the board shows is made here.
const board = document.getElementById('board');

fetch('/board.json').then(answer => answer.json()).then(sightings => {
	board.innerHTML = `<main><h1>Sightings board</h1>
		<p>Whoever stands on the quay writes here what they saw; the list is made by a script, and there is nothing without it.</p>
		<ul id="list" aria-label="Sightings"></ul>
		<form id="add"><label>Place <input id="place" required></label> <button>Add sighting</button></form></main>`;
	const list = document.getElementById('list'), place = document.getElementById('place');
	const show = text => { const item = document.createElement('li'); item.textContent = text; list.append(item); };
	sightings.forEach(show);
	document.getElementById('add').addEventListener('submit', event => {
		event.preventDefault();
		show(`A fin off ${place.value}, seen just now`);
		place.value = '';
	});
});
