import { Picker } from 'emoji-mart';
import data from '@emoji-mart/data';
import introJs from 'intro.js';
import 'intro.js/introjs.css';
import Shepherd from 'shepherd.js';
import 'shepherd.js/dist/css/shepherd.css';
import React from 'react';
import { createRoot } from 'react-dom/client';
import { Menu, Item, Submenu, useContextMenu } from 'react-contexify';
import 'react-contexify/dist/ReactContexify.css';
import Splide from '@splidejs/splide';
import '@splidejs/splide/css';
import EmblaCarousel from 'embla-carousel';
import PhotoSwipeLightbox from 'photoswipe/lightbox';
import PhotoSwipe from 'photoswipe';
import 'photoswipe/style.css';
import OtpInput from 'react-otp-input';
import PhoneInput from 'react-phone-number-input';
import 'react-phone-number-input/style.css';
import Inputmask from 'inputmask';
import Cleave from 'cleave.js';
import AutoNumeric from 'autonumeric';
import { MaskInput } from 'maska';
const S = window.S = {};
const svg = c => `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='200'%3E%3Crect width='300' height='200' fill='${c}'/%3E%3C/svg%3E`;
function App() {
	const [otp, setOtp] = React.useState(''), [phone, setPhone] = React.useState(); S.otp = otp; S.phone = phone;
	const { show } = useContextMenu({ id: 'cm' });
	return <div style={{ padding: 20, width: 700 }}><p>Code</p><OtpInput value={otp} onChange={setOtp} numInputs={4} renderInput={p => <input {...p} />} /><PhoneInput placeholder="Phone number" value={phone} onChange={setPhone} defaultCountry="NO" />
		<label>Card <input id="card" /></label><label>Sum <input id="sum" /></label><label>Born <input id="born" /></label><label>Plate <input id="plate" /></label>
		<div onContextMenu={e => show({ event: e })} style={{ padding: 20, border: '1px solid' }}>Right here</div><Menu id="cm"><Item onClick={() => { S.ctx = 'rename'; }}>Rename</Item><Submenu label="Send to"><Item onClick={() => { S.ctx = 'deck'; }}>Deck</Item></Submenu></Menu>
		<button id="t1" onClick={() => introJs().setOptions({ steps: [{ element: '#t1', intro: 'Start here' }, { element: '#t2', intro: 'Then go there' }] }).oncomplete(() => { S.intro = true; }).start()}>Tour one</button>
		<button id="t2" onClick={() => { const t = new Shepherd.Tour({ useModalOverlay: true, defaultStepOptions: { cancelIcon: { enabled: true } } }); t.addStep({ title: 'Mast', text: 'This is the mast', attachTo: { element: '#t1', on: 'bottom' }, buttons: [{ text: 'Next one', action: t.next }] }); t.addStep({ text: 'This is the end', buttons: [{ text: 'Finish', action: t.complete }] }); t.on('complete', () => { S.shepherd = true; }); t.start(); }}>Tour two</button>
		<section className="splide" aria-label="Lights" id="sp"><div className="splide__track"><ul className="splide__list">{['First', 'Second', 'Third'].map(x => <li className="splide__slide" key={x} style={{ height: 60 }}>{x} light <button onClick={() => { S.light = x; }}>Choose {x}</button></li>)}</ul></div></section>
		<div id="em" style={{ overflow: 'hidden', width: 300 }}><div style={{ display: 'flex' }}>{['Red', 'Green', 'Blue'].map(x => <div key={x} style={{ flex: '0 0 100%', height: 60 }}>{x} buoy</div>)}</div></div><button onClick={() => S.embla.scrollNext()}>Next buoy</button>
		<div id="ps">{['red', 'blue'].map(c => <a key={c} href={svg(c)} data-pswp-width="300" data-pswp-height="200"><img src={svg(c)} alt={c + ' sail'} width="60" height="40" /></a>)}</div><div id="emoji" /></div>;
}
createRoot(document.getElementById('root')).render(<App />);
setTimeout(() => {
	new Inputmask('99/99/9999').mask('#born'); new Cleave('#card', { creditCard: true }); S.sum = new AutoNumeric('#sum', { currencySymbol: '$' }); new MaskInput('#plate', { mask: '@@-###' });
	const sp = new Splide('#sp', { perPage: 1 }); sp.on('moved', i => { S.slide = i; }); sp.mount(); S.embla = EmblaCarousel(document.getElementById('em')); S.embla.on('select', () => { S.buoy = S.embla.selectedScrollSnap(); });
	const lb = new PhotoSwipeLightbox({ gallery: '#ps', children: 'a', pswpModule: PhotoSwipe }); lb.init(); S.lb = lb;
	document.getElementById('emoji').append(new Picker({ data, onEmojiSelect: e => { S.emoji = e.id; } }));
}, 200);
