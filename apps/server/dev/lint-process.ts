// Lints the spec whenever the parent process asks. In a process of its own it does not delay the requests
// that `npm run dev` forwards.
import { formatFinding, lintSpec } from '@tiwala/contract/lint-spec'

process.on('message', () => {
  void lintSpec().then((findings) => process.send!(findings.map(formatFinding)))
})
