import React from 'react';
import { createRoot } from 'react-dom/client';
import { Accordion, Button, ButtonGroup, Carousel, Dropdown, Form, Modal, Offcanvas, Overlay, OverlayTrigger, Pagination, Popover, Tab, Tabs, Toast, ToggleButton } from 'react-bootstrap';
import 'bootstrap/dist/css/bootstrap.min.css';
const S = window.S = {};
function App() {
	const [modal, setModal] = React.useState(false), [side, setSide] = React.useState(false), [side2, setSide2] = React.useState('port'), [page, setPage] = React.useState(1), [toast, setToast] = React.useState(false);
	S.pier = side2; S.page = page;
	return <div style={{ padding: 20, width: 700 }}>
		<Button onClick={() => setModal(true)}>Sink</Button>
		<Modal show={modal} onHide={() => setModal(false)}><Modal.Header closeButton><Modal.Title>Sink the boat?</Modal.Title></Modal.Header><Modal.Body>It cannot be raised again.</Modal.Body><Modal.Footer><Button onClick={() => { S.sunk = true; setModal(false); setToast(true); }}>Sink it</Button></Modal.Footer></Modal>
		<Toast show={toast} onClose={() => setToast(false)}><Toast.Header>Harbour</Toast.Header><Toast.Body>The boat is gone</Toast.Body></Toast>
		<Dropdown onSelect={k => { S.did = k; }}><Dropdown.Toggle>Actions</Dropdown.Toggle><Dropdown.Menu><Dropdown.Item eventKey="paint">Paint</Dropdown.Item><Dropdown.Item eventKey="tow">Tow</Dropdown.Item></Dropdown.Menu></Dropdown>
		<Button onClick={() => setSide(true)}>Log book</Button>
		<Offcanvas show={side} onHide={() => setSide(false)}><Offcanvas.Header closeButton><Offcanvas.Title>Log</Offcanvas.Title></Offcanvas.Header><Offcanvas.Body><Form.Control aria-label="Entry" onChange={e => { S.entry = e.target.value; }} /></Offcanvas.Body></Offcanvas>
		<OverlayTrigger trigger="click" overlay={<Popover><Popover.Header>Tide</Popover.Header><Popover.Body>High at nine</Popover.Body></Popover>}><Button>Tide</Button></OverlayTrigger>
		<Accordion><Accordion.Item eventKey="0"><Accordion.Header>Hull</Accordion.Header><Accordion.Body>Oak planks</Accordion.Body></Accordion.Item><Accordion.Item eventKey="1"><Accordion.Header>Sails</Accordion.Header><Accordion.Body>Red canvas</Accordion.Body></Accordion.Item></Accordion>
		<Tabs defaultActiveKey="a"><Tab eventKey="a" title="Crew">Ann and Bo</Tab><Tab eventKey="b" title="Cargo">Rope and tar</Tab></Tabs>
		<Form.Check type="switch" label="Night watch" id="night" onChange={e => { S.night = e.target.checked; }} />
		<Form.Label htmlFor="vol">Volume</Form.Label><Form.Range id="vol" onChange={e => { S.volume = e.target.value; }} />
		<ButtonGroup>{['port', 'starboard'].map(v => <ToggleButton key={v} id={v} type="radio" name="pier" value={v} checked={side2 === v} onChange={e => setSide2(e.currentTarget.value)}>{v}</ToggleButton>)}</ButtonGroup>
		<Pagination>{[1, 2, 3].map(n => <Pagination.Item key={n} active={n === page} onClick={() => setPage(n)}>{n}</Pagination.Item>)}</Pagination>
		<Carousel interval={null}><Carousel.Item><p style={{ padding: 40 }}>First light</p></Carousel.Item><Carousel.Item><p style={{ padding: 40 }}>Second light</p></Carousel.Item></Carousel>
	</div>;
}
createRoot(document.getElementById('root')).render(<App />);
