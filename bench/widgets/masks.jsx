import React from 'react';
import { createRoot } from 'react-dom/client';
import { OTPInput } from 'input-otp';
import { NumericFormat, PatternFormat } from 'react-number-format';
import { HexColorPicker, HexColorInput } from 'react-colorful';
import IMask from 'imask';
const S = window.S = {};
function Colour() { const [c, set] = React.useState('#aabbcc'); S.colour = c; return <div><HexColorPicker color={c} onChange={set} /><HexColorInput aria-label="Hex" color={c} onChange={set} /></div>; }
createRoot(document.getElementById('root')).render(<div style={{ padding: 20 }}>
	<OTPInput maxLength={6} aria-label="Code" onComplete={v => S.otp = v} render={({ slots }) => <div style={{ display: 'flex' }}>{slots.map((s, i) => <div key={i} style={{ width: 30, height: 30, border: '1px solid' }}>{s.char}</div>)}</div>} />
	<label>Price <NumericFormat thousandSeparator prefix="$" onValueChange={v => S.price = v.floatValue} /></label>
	<label>Card <PatternFormat format="#### #### #### ####" mask="_" onValueChange={v => S.card = v.value} /></label>
	<label>Phone <input ref={e => { if (e) { const m = IMask(e, { mask: '+{7}(000)000-00-00', lazy: false }); m.on('accept', () => { S.phone = m.unmaskedValue; }); } }} /></label>
	<label>Date <input ref={e => { if (e) { const m = IMask(e, { mask: Date }); m.on('accept', () => { S.date = m.value; }); } }} /></label>
	<Colour /></div>);
