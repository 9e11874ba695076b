import React from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.css';
import '@blocknote/core/style.css';
import '@blocknote/react/style.css';
import { useCreateBlockNote } from '@blocknote/react';
import { BlockNoteView } from '@blocknote/mantine';
const S = window.S = {};
function App() {
	S.editor = useCreateBlockNote({ initialContent: [{ type: 'heading', content: 'Plan' }, { type: 'paragraph', content: 'First line of the plan' }, { type: 'checkListItem', content: 'Buy rope' }, { type: 'paragraph', content: '' }] });
	return <BlockNoteView editor={S.editor} theme="light" />;
}
createRoot(document.getElementById('root')).render(<App />);
S.find = type => S.editor.document.find(b => b.type === type);
S.words = () => JSON.stringify(S.editor.document);
