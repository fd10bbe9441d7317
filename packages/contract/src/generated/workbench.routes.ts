// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export const routes = {
  readSession: { method: 'get', path: '/session' },
  signOut: { method: 'delete', path: '/session' },
  listMembers: { method: 'get', path: '/members' },
  inviteMember: { method: 'post', path: '/members' },
  removeMember: { method: 'delete', path: '/members/{member_id}' },
  changeMember: { method: 'patch', path: '/members/{member_id}' },
  listOwnCredentials: { method: 'get', path: '/credentials' },
  rotateOwnCredential: { method: 'post', path: '/credentials' },
  revokeOwnCredential: { method: 'delete', path: '/credentials/{credential_id}' },
  readSettings: { method: 'get', path: '/settings' },
  changeSettings: { method: 'patch', path: '/settings' },
  withdrawApproval: { method: 'delete', path: '/settings/approvals/{approval_id}' },
  listRequests: { method: 'get', path: '/request-log' },
  readRequest: { method: 'get', path: '/request-log/{request_id}' },
  listOwnRecords: { method: 'get', path: '/records' },
} as const
