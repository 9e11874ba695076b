// The documentation site. site.json has its pages, for this and for spyhop serve.
import { defineConfig } from 'vitepress';
import site from '../site.json' with { type: 'json' };

const source = 'https://github.com/spyhop-dev/spyhop/blob/main/';

export default defineConfig({
  title: 'Spyhop',
  description: 'Web access for language-model agents',
  base: process.env.DOCS_BASE ?? '/spyhop/',
  cleanUrls: true,
  srcExclude: ['decisions/**', 'node_modules/**'],
  ignoreDeadLinks: [/^\.\/[a-z]\d+$/], // refs of snapshots in descriptions of tools: [Sign in](b12)
  markdown: {
    html: false, // <url> in a text is text
    config(md) {
      // Files outside of docs/, and decisions, are on GitHub.
      const open = md.renderer.rules.link_open ?? ((tokens, i, options, _, self) => self.renderToken(tokens, i, options));
      md.core.ruler.push('repository-links', (state) => {
        for (const block of state.tokens) for (const token of block.children ?? []) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href?.startsWith('../')) token.attrSet('href', source + href.slice(3));
          else if (href?.startsWith('decisions/')) token.attrSet('href', source + 'docs/' + href);
        }
      });
      md.renderer.rules.link_open = open;
      // {{ }} in a text is text, not a Vue expression.
      const text = md.renderer.rules.text!;
      md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [{ text: 'Start', link: '/install' }, { text: 'Settings', link: '/settings' }, { text: 'GitHub', link: 'https://github.com/spyhop-dev/spyhop' }],
    sidebar: (site as [string, [string, string][]][] | any).map((section: any) => ({
      text: section.title,
      items: section.pages.map(([file, title]: [string, string]) => ({ text: title, link: file === 'index' ? '/' : `/${file}` })),
    })),
  },
});
