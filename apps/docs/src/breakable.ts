/** A name as HTML, which can break between its words: `exchange_code_invalid`, `requestAuthorization`, `/api/pub`, `a,b`. */
export const breakable = (name: string): string =>
  name
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/(?<=[\w}][_./,])(?=\w|\{)|(?<=[a-z])(?=[A-Z])/g, '<wbr>')
