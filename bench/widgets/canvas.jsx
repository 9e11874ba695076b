import React from 'react';
import { createRoot } from 'react-dom/client';
import SignaturePad from 'signature_pad';
import Swiper from 'swiper';
import { Navigation } from 'swiper/modules';
import 'swiper/css';
import 'swiper/css/navigation';
const S = window.S = {};
createRoot(document.getElementById('root')).render(<div><canvas aria-label="Signature" width="300" height="100" style={{ border: '1px solid', touchAction: 'none' }} ref={e => { if (e && !S.pad) S.pad = new SignaturePad(e); }} />
	<div className="swiper" style={{ width: 300 }} ref={e => { if (e && !S.sw) S.sw = new Swiper(e, { modules: [Navigation], navigation: { nextEl: '#next' } }); }}><div className="swiper-wrapper">{['One', 'Two', 'Three'].map(x => <div key={x} className="swiper-slide">Slide {x}</div>)}</div></div><button id="next">Next</button></div>);
