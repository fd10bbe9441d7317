import type { AuthorizationAnswer } from '@tiwala/client'

/** The response to a request, with which its card begins: no inquiry is needed to know that it is pending. */
export const firstAnswers = new Map<string, AuthorizationAnswer>()
