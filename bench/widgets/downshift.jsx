import React from 'react';
import { createRoot } from 'react-dom/client';
import { useCombobox, useSelect } from 'downshift';
const S = window.S = {};
const books = ['Dune', 'Emma', 'Ulysses'];
function Pick() {
	const s = useSelect({ items: books, onSelectedItemChange: c => S.book = c.selectedItem });
	return <div><label {...s.getLabelProps()}>Book</label><div {...s.getToggleButtonProps()}>{s.selectedItem || 'Elements'}</div><ul {...s.getMenuProps()}>{s.isOpen && books.map((b, index) => <li key={b} {...s.getItemProps({ item: b, index })}>{b}</li>)}</ul></div>;
}
function Search() {
	const [items, set] = React.useState(books);
	const c = useCombobox({ items, onInputValueChange: ({ inputValue }) => set(books.filter(b => b.toLowerCase().includes(inputValue.toLowerCase()))), onSelectedItemChange: x => S.found = x.selectedItem });
	return <div><label {...c.getLabelProps()}>Search</label><input {...c.getInputProps()} /><ul {...c.getMenuProps()}>{c.isOpen && items.map((b, index) => <li key={b} {...c.getItemProps({ item: b, index })}>{b}</li>)}</ul></div>;
}
createRoot(document.getElementById('root')).render(<div style={{ padding: 20 }}><Pick /><Search /></div>);
