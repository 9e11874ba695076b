import React from 'react';
import { createRoot } from 'react-dom/client';
import Swal from 'sweetalert2';
import { Toaster, toast } from 'sonner';
import { ToastContainer, toast as other } from 'react-toastify';
import tippy from 'tippy.js';
import 'tippy.js/dist/tippy.css';
import { Command } from 'cmdk';
import { Drawer } from 'vaul';
import { driver } from 'driver.js';
import 'driver.js/dist/driver.css';
const S = window.S = {};
const ask = async () => { const r = await Swal.fire({ title: 'Delete it?', input: 'text', inputLabel: 'Reason', showCancelButton: true, confirmButtonText: 'Yes, delete' }); if (r.isConfirmed) { S.reason = r.value; Swal.fire('Deleted', 'It is gone.', 'success'); } };
createRoot(document.getElementById('root')).render(<div style={{ padding: 20 }}><button onClick={ask}>Delete</button><button onClick={() => toast('Event made', { action: { label: 'Undo', onClick: () => { S.undo = true; } } })}>Sonner</button><button onClick={() => other('Saved to disk')}>Toastify</button><button ref={e => { if (e) tippy(e, { content: 'A small hint' }); }}>Tip</button>
	<Command label="Commands"><Command.Input placeholder="Type a command" /><Command.List><Command.Empty>None</Command.Empty>{['Calendar', 'Search', 'Settings'].map(x => <Command.Item key={x} onSelect={() => { S.cmd = x; }}>{x}</Command.Item>)}</Command.List></Command>
	<Drawer.Root><Drawer.Trigger>Drawer</Drawer.Trigger><Drawer.Portal><Drawer.Overlay style={{ position: 'fixed', inset: 0, background: '#0006' }} /><Drawer.Content style={{ position: 'fixed', bottom: 0, left: 0, right: 0, background: '#fff', height: 200 }}><Drawer.Title>Goal</Drawer.Title><Drawer.Description>Move daily</Drawer.Description><button onClick={() => { S.goal = true; }}>Set goal</button><Drawer.Close>Shut</Drawer.Close></Drawer.Content></Drawer.Portal></Drawer.Root>
	<button id="tour" onClick={() => driver({ showProgress: true, steps: [{ element: '#tour', popover: { title: 'Step one', description: 'Here it begins' } }, { element: '#last', popover: { title: 'Step two', description: 'Here it ends' } }], onDestroyed: () => { S.tour = true; } }).drive()}>Tour</button><p id="last">Last</p>
	<Toaster /><ToastContainer /></div>);
