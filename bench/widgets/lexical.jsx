import React from 'react';
import { createRoot } from 'react-dom/client';
import { LexicalComposer } from '@lexical/react/LexicalComposer';
import { RichTextPlugin } from '@lexical/react/LexicalRichTextPlugin';
import { ContentEditable } from '@lexical/react/LexicalContentEditable';
import { HistoryPlugin } from '@lexical/react/LexicalHistoryPlugin';
import { LexicalErrorBoundary } from '@lexical/react/LexicalErrorBoundary';
import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext';
import { LexicalTypeaheadMenuPlugin, MenuOption, useBasicTypeaheadTriggerMatch } from '@lexical/react/LexicalTypeaheadMenuPlugin';
import { createPortal } from 'react-dom';
import { $createTextNode, $createParagraphNode, $getRoot, FORMAT_TEXT_COMMAND } from 'lexical';
const S = window.S = {};
function Bar() {
	const [editor] = useLexicalComposerContext();
	S.editor = editor;
	return <button onMouseDown={e => e.preventDefault()} onClick={() => editor.dispatchCommand(FORMAT_TEXT_COMMAND, 'bold')}>Bold</button>;
}
function Mentions() {
	const [editor] = useLexicalComposerContext(), [query, set] = React.useState(null);
	const match = useBasicTypeaheadTriggerMatch('@', { minLength: 0 });
	const options = ['Ann', 'Anders', 'Bo'].filter(n => n.toLowerCase().startsWith((query || '').toLowerCase())).map(n => new MenuOption(n));
	return <LexicalTypeaheadMenuPlugin options={options} triggerFn={match} onQueryChange={set} onSelectOption={(o, node, close) => editor.update(() => { const t = $createTextNode('@' + o.key + ' '); node?.replace(t); t.select(); close(); })}
		menuRenderFn={(at, { selectOptionAndCleanUp }) => at.current && options.length ? createPortal(<ul style={{ background: '#eee', width: 150 }}>{options.map(o => <li key={o.key} ref={o.setRefElement} role="option" tabIndex={-1} onClick={() => selectOptionAndCleanUp(o)}>{o.key}</li>)}</ul>, at.current) : null} />;
}
const first = () => { const p = t => $createParagraphNode().append($createTextNode(t)); $getRoot().append(p('Buy rope'), p('Paint the hull')); };
createRoot(document.getElementById('root')).render(<LexicalComposer initialConfig={{ namespace: 'n', editorState: first, onError: e => { throw e; }, theme: { text: { bold: 'b' } } }}>
	<style>{'.b{font-weight:bold}'}</style><Bar /><RichTextPlugin contentEditable={<ContentEditable aria-label="Note" style={{ border: '1px solid', padding: 8, width: 400 }} />} placeholder={null} ErrorBoundary={LexicalErrorBoundary} /><HistoryPlugin /><Mentions /></LexicalComposer>);
S.text = () => S.editor.getEditorState().read(() => $getRoot().getTextContent());
