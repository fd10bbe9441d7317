// Plain JavaScript that every Node can run. An older one cannot even load TypeScript, and would only say
// ERR_UNKNOWN_FILE_EXTENSION.
const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Tiwala needs Node ${OLDEST} or later, and this is ${process.versions.node} (${process.execPath}). ` +
      'The dependencies bring the right one: use node_modules/.bin/node, npm or npx in the folder of Tiwala.',
  )
  process.exit(1)
}
