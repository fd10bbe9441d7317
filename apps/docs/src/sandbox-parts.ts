// What only the documentation of a sandbox shows stands in `<Sandbox>`. A live server's documentation does not have it,
// and its list of headings neither.
import { defineMdastPlugin } from 'satteri'
import { site } from './site.ts'

/** The plugin of the Markdown renderer. */
export const sandboxParts = defineMdastPlugin({
  name: 'sandbox-parts',
  mdxJsxFlowElement: (node, context) => {
    if (node.name === 'Sandbox')
      context.replaceNode(node, site.environment === 'sandbox' ? node.children : [])
  },
})
