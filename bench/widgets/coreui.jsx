import React from 'react';
import { createRoot } from 'react-dom/client';
import '@coreui/coreui/dist/css/coreui.min.css';
import { CAccordion, CAccordionBody, CAccordionHeader, CAccordionItem, CAlert, CButton, CChip, CChipSet, CCarousel, CCarouselItem, CCollapse, CDropdown, CDropdownItem, CDropdownMenu, CDropdownToggle, CForm, CFormCheck, CFormInput, CFormRange, CFormSelect, CFormSwitch, CFormTextarea, CInputGroup, CInputGroupText, CModal, CModalBody, CModalFooter, CModalHeader, CModalTitle, CNav, CNavGroup, CNavItem, CNavLink, COffcanvas, COffcanvasBody, COffcanvasHeader, COffcanvasTitle, CCloseButton, CPagination, CPaginationItem, CPopover, CSearchButton, CSidebar, CSidebarNav, CTab, CTabContent, CTabList, CTabPanel, CTabs, CTable, CToast, CToastBody, CToastHeader, CToaster, CTooltip } from '@coreui/react';
const S = window.S = {};
function Mod() {
	const [v, set] = React.useState(false);
	return <><CButton color="primary" onClick={() => set(true)}>Launch demo modal</CButton><CModal visible={v} onClose={() => set(false)}><CModalHeader><CModalTitle>Modal title</CModalTitle></CModalHeader><CModalBody>Woohoo, you are reading this text in a modal! <CFormInput id="f1" label="Recipient" onChange={e => S.to = e.target.value} /></CModalBody><CModalFooter><CButton color="secondary" onClick={() => set(false)}>Close it</CButton><CButton color="primary" onClick={() => { S.saved = true; set(false); }}>Save changes</CButton></CModalFooter></CModal></>;
}
function Off() {
	const [v, set] = React.useState(false);
	S.off = v;
	return <><CButton onClick={() => set(true)}>Toggle offcanvas</CButton><COffcanvas placement="start" visible={v} onHide={() => set(false)}><COffcanvasHeader><COffcanvasTitle>Offcanvas</COffcanvasTitle><CCloseButton className="text-reset" onClick={() => set(false)} /></COffcanvasHeader><COffcanvasBody>Content for the offcanvas goes here.</COffcanvasBody></COffcanvas></>;
}
function Toasts() {
	const [t, set] = React.useState();
	const toaster = React.useRef(null);
	return <><CButton onClick={() => set(<CToast><CToastHeader closeButton><div className="fw-bold me-auto">CoreUI for React</div><small>7 min ago</small></CToastHeader><CToastBody>Hello, world! This is a toast message.</CToastBody></CToast>)}>Send a toast</CButton><CToaster className="p-3" placement="top-end" push={t} ref={toaster} /></>;
}
function Coll() {
	const [v, set] = React.useState(false);
	return <><CButton onClick={() => set(!v)} aria-expanded={v}>Read more</CButton><CCollapse visible={v}><p>Anim pariatur cliche reprehenderit.</p></CCollapse></>;
}
const App = () => <div style={{ padding: 20, width: 700, marginLeft: 0 }}>
	<CDropdown><CDropdownToggle color="secondary">Dropdown button</CDropdownToggle><CDropdownMenu><CDropdownItem href="#" onClick={() => S.item = 'action'}>Action</CDropdownItem><CDropdownItem href="#" onClick={() => S.item = 'another'}>Another action</CDropdownItem></CDropdownMenu></CDropdown>
	<Mod /><Off /><Toasts /><Coll />
	<CAccordion><CAccordionItem itemKey={1}><CAccordionHeader>First item</CAccordionHeader><CAccordionBody>This is the first item's body.</CAccordionBody></CAccordionItem><CAccordionItem itemKey={2}><CAccordionHeader>Second item</CAccordionHeader><CAccordionBody>This is the second item's body.</CAccordionBody></CAccordionItem></CAccordion>
	<CAlert color="warning" dismissible onClose={() => S.closed = true}>Go right ahead and click that dimiss over there.</CAlert>
	<CFormSelect id="f2" label="Speciality" options={['Open this select menu', { label: 'One', value: '1' }, { label: 'Two', value: '2' }]} onChange={e => S.sel = e.target.value} />
	<CFormSwitch id="f3" label="Default switch checkbox input" onChange={e => S.sw = e.target.checked} />
	<CFormCheck id="f4" label="Default checkbox" onChange={e => S.box = e.target.checked} /><CFormCheck id="f5" type="radio" name="r" label="Second radio" onChange={() => S.radio = 2} /><CFormCheck id="f6" button={{ color: 'success', variant: 'outline' }} type="radio" name="o" autoComplete="off" label="Toggle radio" onChange={() => S.toggle = true} />
	<CFormRange id="f7" min={0} max={100} label="Example range" defaultValue="30" onChange={e => S.range = e.target.value} />
	<CFormInput id="f8" type="text" floatingLabel="Email address" placeholder="name@example.com" onChange={e => S.mail = e.target.value} />
	<CInputGroup><CInputGroupText>@</CInputGroupText><CFormInput id="f9" placeholder="Username" onChange={e => S.user = e.target.value} /></CInputGroup>
	<CChipSet selectionMode="multiple" selectable><CChip value="react">React</CChip><CChip value="vue">Vue</CChip></CChipSet>
	<CTabs defaultActiveItemKey="home"><CTabList variant="tabs"><CTab itemKey="home">Home</CTab><CTab itemKey="profile">Profile</CTab></CTabList><CTabContent><CTabPanel itemKey="home">Home tab content</CTabPanel><CTabPanel itemKey="profile">Profile tab content</CTabPanel></CTabContent></CTabs>
	<CCarousel controls indicators transition="crossfade" interval={false} onSlid={i => S.slide = i}>{['First slide label', 'Second slide label'].map(x => <CCarouselItem key={x}><div style={{ height: 120, background: '#999', padding: 30 }}><h5 style={{ marginLeft: 90 }}>{x}</h5></div></CCarouselItem>)}</CCarousel>
	<CTooltip content="Vivamus sagittis lacus vel augue"><CButton>Tooltip on top</CButton></CTooltip> <CPopover title="Popover title" content="And here's some amazing content." placement="right"><CButton>Click to toggle popover</CButton></CPopover>
	<CPagination aria-label="Page navigation example"><CPaginationItem>Previous</CPaginationItem>{[1, 2, 3].map(i => <CPaginationItem key={i} onClick={() => S.page = i}>{i}</CPaginationItem>)}<CPaginationItem>Next</CPaginationItem></CPagination>
	<CSidebar className="border-end" style={{ position: 'static' }}><CSidebarNav><CNavItem href="#a">Nav item</CNavItem><CNavGroup toggler="Nav dropdown"><CNavItem href="#b" onClick={() => S.nav = 'b'}>Nav dropdown item</CNavItem></CNavGroup></CSidebarNav></CSidebar>
	<CForm noValidate={false} onSubmit={e => { e.preventDefault(); S.sent = true; }}><CFormTextarea id="f10" label="Story" required feedbackInvalid="Please write." onChange={e => S.story = e.target.value} /><CButton type="submit">Submit form</CButton></CForm>
</div>;
createRoot(document.getElementById('root')).render(<App />);
