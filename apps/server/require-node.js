// Plain JavaScript that every Node can run. An older one cannot even load TypeScript, and would only say
// ERR_UNKNOWN_FILE_EXTENSION.
const OLDEST = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Tiwala needs Node ${OLDEST} or later, and this is ${process.versions.node} (${process.execPath}). ` +
      'Install a newer one. In the repository, npm, npx and node_modules/.bin/node use the right one.',
  )
  process.exit(1)
}
