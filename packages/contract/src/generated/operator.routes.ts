// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export const routes = {
  createPartner: { method: 'post', path: '/partners' },
  suspendPartner: { method: 'post', path: '/partners/{partner_code}/suspend' },
  resumePartner: { method: 'post', path: '/partners/{partner_code}/resume' },
  upsertCitizen: { method: 'put', path: '/citizens/{uniqid}' },
} as const
