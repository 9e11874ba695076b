// What moves on the pages: streams of server-sent events, buttons that copy, and forms
// that say that they wait. Every page works without this file.
'use strict';

// The only way from text to markup; the server has escaped what is foreign.
const policy = window.trustedTypes
  ? trustedTypes.createPolicy('live', { createHTML: (text) => text })
  : { createHTML: (text) => text };

function elements(text) {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(text);
  return [...template.content.children];
}

// follow puts the elements of each event in place of those with their ids, or first
// into the list that listens.
function follow(list) {
  const source = new EventSource(list.dataset.stream);
  const lost = document.getElementById('connection');
  const most = Number(list.dataset.most) || 0;
  let quiet = 0;
  source.onopen = () => { clearTimeout(quiet); lost.hidden = true; };
  source.onmessage = (event) => {
    for (const element of elements(event.data)) {
      const old = element.id && document.getElementById(element.id);
      if (old) {
        if (!old.contains(document.activeElement)) old.replaceWith(element);
      } else {
        list.prepend(element);
        // The line that says that a list is empty stands outside of the list.
        for (const empty of document.querySelectorAll('.empty')) if (!list.contains(empty)) empty.remove();
      }
    }
    while (most && list.children.length > most) list.lastElementChild.remove();
  };
  source.addEventListener('over', () => source.close());
  source.onerror = () => {
    clearTimeout(quiet);
    if (source.readyState === EventSource.CLOSED) {
      lost.textContent = 'The server no longer sends events to this page. Reload it; you may have to sign in again.';
      lost.hidden = false;
      return;
    }
    // A stream that ends is opened again at once: only a longer silence is news.
    quiet = setTimeout(() => { lost.hidden = false; }, 4000);
  };
  addEventListener('pagehide', () => source.close());
}

for (const list of document.querySelectorAll('[data-stream]')) follow(list);

for (const button of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
}

for (const form of document.querySelectorAll('form.ask')) {
  form.addEventListener('submit', () => {
    // Fields that are empty make the address long and say nothing.
    for (const field of form.elements) if (field.name && field.value === '' && field.name !== 'url') field.disabled = true;
    form.setAttribute('aria-busy', 'true');
  });
}
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form.ask')) {
    form.removeAttribute('aria-busy');
    for (const field of form.elements) field.disabled = false;
  }
});
