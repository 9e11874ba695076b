import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
const root = document.getElementById('root');
const term = new Terminal({ cols: 60, rows: 10 });
term.open(root);
let line = '';
window.S = { ran: [] };
term.write('Welcome to the machine\r\n$ ');
term.onData(d => { if (d === '\r') { S.ran.push(line); term.write('\r\nran: ' + line + '\r\n$ '); line = ''; } else { line += d; term.write(d); } });
