import videojs from 'video.js';
import 'video.js/dist/video-js.css';
const S = window.S = {};
document.getElementById('root').innerHTML = '<video id=v class="video-js" controls width=500 height=280></video>';
// Twenty seconds of silence (WAVE, 8 bits, 8 kHz).
const n = 160000, wave = new DataView(new ArrayBuffer(44 + n)), word = (at, s) => [...s].forEach((c, i) => wave.setUint8(at + i, c.charCodeAt(0)));
word(0, 'RIFF'); wave.setUint32(4, 36 + n, true); word(8, 'WAVEfmt '); wave.setUint32(16, 16, true); wave.setUint16(20, 1, true); wave.setUint16(22, 1, true);
wave.setUint32(24, 8000, true); wave.setUint32(28, 8000, true); wave.setUint16(32, 1, true); wave.setUint16(34, 8, true); word(36, 'data'); wave.setUint32(40, n, true);
for (let i = 0; i < n; i++) wave.setUint8(44 + i, 128);
S.player = videojs('v', { playbackRates: [1, 1.5, 2] });
S.player.src({ src: URL.createObjectURL(new Blob([wave], { type: 'audio/wav' })), type: 'audio/wav' });
