import '../node_modules/@uswds/uswds/dist/css/uswds.css';
import '@uswds/uswds/js';
const S = window.S = {};
document.getElementById('root').innerHTML = `<div style="padding:20px;width:700px">
<label class="usa-label" for="fruit">Select a fruit</label><div class="usa-combo-box"><select class="usa-select" name="fruit" id="fruit"><option value="apple">Apple</option><option value="apricot">Apricot</option><option value="avocado">Avocado</option><option value="banana">Banana</option><option value="plum">Plum</option><option value="mango">Mango</option></select></div>
<label class="usa-label" for="appt" id="appt-l">Appointment date</label><div class="usa-hint" id="appt-h">mm/dd/yyyy</div><div class="usa-date-picker" data-default-value="2026-03-10"><input class="usa-input" id="appt" name="appt" aria-labelledby="appt-l" aria-describedby="appt-h"></div>
<label class="usa-label" for="time">Visit time</label><div class="usa-time-picker" data-step="30"><input class="usa-input" id="time" name="time"></div>
<div class="usa-accordion"><h4 class="usa-accordion__heading"><button type="button" class="usa-accordion__button" aria-expanded="false" aria-controls="a1">First Amendment</button></h4><div id="a1" class="usa-accordion__content usa-prose"><p>Congress shall make no law</p></div></div>
<a href="#m" class="usa-button" aria-controls="m" data-open-modal>Open modal</a>
<div class="usa-modal" id="m" aria-labelledby="mh" aria-describedby="md"><div class="usa-modal__content"><div class="usa-modal__main"><h2 class="usa-modal__heading" id="mh">Are you sure you want to continue?</h2><div class="usa-prose"><p id="md">You have unsaved changes that will be lost.</p></div><div class="usa-modal__footer"><button type="button" class="usa-button" id="go" data-close-modal>Continue without saving</button><button type="button" class="usa-button" data-close-modal>Go back</button></div></div><button type="button" class="usa-button usa-modal__close" aria-label="Close this window" data-close-modal>x</button></div></div>
<label class="usa-label" for="file">Input accepts a file</label><input id="file" class="usa-file-input" type="file">
<label class="usa-label" for="range">Range slider</label><input id="range" class="usa-range" type="range" min="0" max="100" step="10" value="20">
<div class="usa-checkbox"><input class="usa-checkbox__input" id="truth" type="checkbox"><label class="usa-checkbox__label" for="truth">Sojourner Truth</label></div>
<div class="usa-radio"><input class="usa-radio__input usa-radio__input--tile" id="fd" type="radio" name="hf"><label class="usa-radio__label" for="fd">Frederick Douglass</label></div><div class="usa-radio"><input class="usa-radio__input usa-radio__input--tile" id="bw" type="radio" name="hf"><label class="usa-radio__label" for="bw">Booker Washington</label></div>
<label class="usa-label" for="ssn">Social security number</label><input class="usa-input usa-masked" id="ssn" placeholder="___ __ ____" pattern="^(?!(000|666|9))\\d{3} (?!00)\\d{2} (?!0000)\\d{4}$">
<label class="usa-label" for="pw">Password</label><input class="usa-input" id="pw" type="password"><button type="button" class="usa-show-password" aria-controls="pw">Show password</button>
<div class="usa-character-count"><div class="usa-form-group"><label class="usa-label" for="cc">Text input</label><input class="usa-input usa-character-count__field" id="cc" maxlength="25"></div><span class="usa-character-count__message">You can enter up to 25 characters</span></div>
<div class="usa-table-container--scrollable"><table class="usa-table" id="tb"><thead><tr><th data-sortable scope="col" role="columnheader">Name</th><th data-sortable scope="col" role="columnheader">Order</th></tr></thead><tbody><tr><th scope="row" data-sort-value="Guam">Guam</th><td data-sort-value="2">2nd</td></tr><tr><th scope="row" data-sort-value="Alaska">Alaska</th><td data-sort-value="1">1st</td></tr></tbody></table><div class="usa-sr-only usa-table__announcement-region" aria-live="polite"></div></div>
<button type="button" class="usa-button usa-tooltip" data-position="top" title="Tip of the top">Show on top</button>
<div class="usa-language-container"><ul class="usa-language__primary usa-accordion"><li class="usa-language__primary-item"><button type="button" class="usa-button usa-language__link" aria-expanded="false" aria-controls="lang">Languages</button><ul id="lang" class="usa-language__submenu" hidden><li class="usa-language__submenu-item"><a href="#fr" id="fr"><span lang="fr">Français</span></a></li></ul></li></ul></div>
</div>`;
import uswds from '@uswds/uswds/js';
document.getElementById('go').onclick = () => { S.gone = true; };
document.getElementById('fr').onclick = () => { S.lang = 'fr'; };
for (const k in uswds) try { uswds[k].on && uswds[k].on(document.body); } catch (e) { (S.errors ||= []).push(k + ' ' + e); }
S.v = id => document.getElementById(id).value;
