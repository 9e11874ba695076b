import React from 'react';
import { createRoot } from 'react-dom/client';
import Slider from 'rc-slider';
import 'rc-slider/assets/index.css';
const S = window.S = {};
createRoot(document.getElementById('root')).render(<div style={{ width: 300, padding: 30 }}><Slider ariaLabelForHandle="Volume" defaultValue={20} onChange={v => S.one = v} /><br /><Slider range ariaLabelForHandle={['Least', 'Most']} defaultValue={[20, 60]} onChange={v => S.two = v} /><br /><Slider ariaLabelForHandle="Mark" marks={{ 0: 'none', 50: 'half', 100: 'full' }} step={null} onChange={v => S.mark = v} /></div>);
