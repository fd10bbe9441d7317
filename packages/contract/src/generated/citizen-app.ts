// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one's authorizations
         * @description The citizen's authorizations, newest first, a page at a time.
         */
        get: operations["listAuthorizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/authorizations/{tracking_no}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an authorization
         * @description What the consent screen shows.
         */
        get: operations["readAuthorization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/authorizations/{tracking_no}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept
         * @description Give the partner the profile as it is now. Accepting again what was accepted changes nothing and is no error.
         */
        post: operations["acceptAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/authorizations/{tracking_no}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline
         * @description Give the partner nothing. Declining again what was declined changes nothing and is no error.
         */
        post: operations["declineAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/authorizations/{tracking_no}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke
         * @description Take back what was accepted or shared: from now on the partner can no longer read the profile here. What it has read already, it has.
         *     Revoking again what was revoked changes nothing and is no error. A record that gives nothing cannot be revoked: `409`.
         */
        post: operations["revokeAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exchange-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue an exchange code
         * @description A code with which this partner, and no other, can sign the citizen in. It lives 60 seconds and works once.
         */
        post: operations["issueExchangeCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/qr-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue a QR code
         * @description A fresh QR value for the purpose the citizen chose. It lives 60 seconds and works once.
         */
        post: operations["issueQrCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Authorization state
         * @enum {string}
         */
        AuthorizationState: "PENDING" | "ACCEPTED" | "DECLINED" | "EXPIRED" | "CANCELLED" | "REVOKED" | "VIEWED";
        /**
         * Consent request
         * @description What the consent screen shows of one authorization.
         */
        ConsentRequest: {
            /** @description Whole seconds since the request. */
            age_seconds: number;
            /**
             * Format: date-time
             * @description When the citizen answered; null where nobody did.
             */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description When a pending request expires; null once it has ended.
             */
            expires_at: string | null;
            partner: {
                /** @description The partner's legal name. */
                name: string;
                partner_code: components["schemas"]["PartnerCode"];
                /** @description Why the partner asks, in the words the administrator approved. */
                purpose: string;
            };
            /** Format: date-time */
            requested_at: string;
            /** @description The profile's fields that accepting shares (or that were shared). */
            shares: string[];
            state: components["schemas"]["AuthorizationState"];
            tracking_no: components["schemas"]["TrackingNo"];
            /** @description To compare with what the partner's screen shows. */
            tracking_no_last4: string;
        };
        /**
         * Error
         * @description Every refusal of every operation has this one shape. No message repeats a secret or a value you sent.
         */
        Error: {
            error: components["schemas"]["ErrorCode"];
            /** @description Per field at fault, what is wrong with it. Present only where fields are to blame. */
            errors?: {
                [key: string]: string[];
            };
            /** @description What went wrong, for people. */
            message: string;
            /** @description The same value as the `X-Request-Id` header. */
            request_id: string;
            /** @description The HTTP status, repeated. */
            status: number;
        };
        /**
         * Error code
         * @description The stable name of a refusal. Programs decide by it; `message` is for people and may change.
         * @enum {string}
         */
        ErrorCode: "malformed_request" | "credentials_missing" | "credentials_invalid" | "token_missing" | "token_invalid" | "token_expired" | "token_used" | "partner_invalid" | "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden" | "tracking_no_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "authorization_not_pending" | "result_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "qr_value_invalid" | "scope_invalid" | "exchange_code_invalid" | "slow_down" | "rate_limited" | "quota_exceeded" | "internal_error" | "unavailable";
        /** Exchange code */
        ExchangeCode: {
            /** @description To be handed to the partner's application. It works once, for this partner only. */
            exchange_code: string;
            /**
             * Format: date-time
             * @description 60 seconds after issue.
             */
            expires_at: string;
            /** @description The partner's registered SSO URL with the code in `exchange_code`; null where the partner registered none. */
            redirect_url: string | null;
        };
        /**
         * Partner code
         * @description Names the partner. Chosen by the administrator.
         */
        PartnerCode: string;
        /** QR code */
        QrCode: {
            /**
             * Format: date-time
             * @description 60 seconds after issue.
             */
            expires_at: string;
            /** @description To be shown as a QR code (alphanumeric mode). It works once. */
            qr_value: string;
            /**
             * Format: date-time
             * @description When the app should show a fresh one, at half of the life.
             */
            refresh_at: string;
        };
        /**
         * QR purpose
         * @description What the citizen chose when showing the code: `inquire` (ask me first) or `share` (take my profile).
         * @enum {string}
         */
        QrPurpose: "inquire" | "share";
        /**
         * Tracking number
         * @description Names one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
    };
    responses: {
        /** @description The record is in a state from which this is not possible; nothing was changed. */
        AuthorizationNotPending: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 409,
                 *       "message": "The authorization is not in a state that allows this",
                 *       "error": "authorization_not_pending",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "authorization_not_pending";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /** @description The identity provider's token is missing, not valid for this service, or expired. */
        IdentityTokenRefused: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "message": "The token is not valid",
                 *       "error": "token_invalid",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "token_missing" | "token_invalid" | "token_expired";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description A fault of ours. Nothing was consumed: a one-time code or token is still good. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 500,
                 *       "message": "Something went wrong on our side",
                 *       "error": "internal_error",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "internal_error";
                    /** @constant */
                    status?: 500;
                };
            };
        };
        /** @description The request cannot be read: an unreadable body, a credential header or a parameter given twice, a file where a text field is expected. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 400,
                 *       "message": "The body cannot be read",
                 *       "error": "malformed_request",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "malformed_request";
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description Every answer is JSON, and the `Accept` header excludes it. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 406,
                 *       "message": "Every answer is application/json",
                 *       "error": "not_acceptable",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "not_acceptable";
                    /** @constant */
                    status?: 406;
                };
            };
        };
        /** @description There is nothing of this name here. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "message": "No partner has this partner_code",
                 *       "error": "not_found",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The body is larger than 16 KiB, or has too many or too long fields. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "message": "The body is larger than 16 KiB",
                 *       "error": "payload_too_large",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "payload_too_large";
                    /** @constant */
                    status?: 413;
                };
            };
        };
        /** @description Too many requests in the last minute, or over the quota. */
        TooManyRequests: {
            headers: {
                /**
                 * @description Seconds to wait before asking again (RFC 9110, section 10.2.3).
                 * @example 2
                 */
                "Retry-After": number;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 429,
                 *       "message": "Too many requests",
                 *       "error": "rate_limited",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "rate_limited" | "quota_exceeded";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description No record of yours has this tracking number. A record of somebody else is answered in the same way. */
        TrackingNoNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "message": "No record has this tracking_no",
                 *       "error": "tracking_no_not_found",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "tracking_no_not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description We cannot answer now. Try again after `Retry-After` seconds. */
        Unavailable: {
            headers: {
                /**
                 * @description Seconds to wait before asking again (RFC 9110, section 10.2.3).
                 * @example 2
                 */
                "Retry-After": number;
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 503,
                 *       "message": "The service is not available right now",
                 *       "error": "unavailable",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "unavailable";
                    /** @constant */
                    status?: 503;
                };
            };
        };
        /** @description The `Content-Type` is none of those this operation takes. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 415,
                 *       "message": "The Content-Type is not supported here; application/json always is",
                 *       "error": "unsupported_media_type",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "unsupported_media_type";
                    /** @constant */
                    status?: 415;
                };
            };
        };
        /** @description The request can be read but breaks the contract; `errors` names the fields. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 422,
                 *       "message": "A field is missing or wrong; see errors",
                 *       "error": "validation_failed",
                 *       "errors": {
                 *         "purpose": [
                 *           "must be equal to one of the allowed values: inquire, share"
                 *         ]
                 *       },
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "validation_failed";
                    /** @constant */
                    status?: 422;
                };
            };
        };
    };
    parameters: {
        /**
         * @description The tracking number of the record.
         * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
         */
        TrackingNo: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request. Quote it when you ask the administrator about an answer.
         * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
         */
        RequestId: string;
        /**
         * @description The bearer challenge (RFC 6750, section 3).
         * @example Bearer error="invalid_token"
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type ConsentRequest = components['schemas']['ConsentRequest'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ExchangeCode = components['schemas']['ExchangeCode'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type QrCode = components['schemas']['QrCode'];
export type QrPurpose = components['schemas']['QrPurpose'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type ResponseAuthorizationNotPending = components['responses']['AuthorizationNotPending'];
export type ResponseIdentityTokenRefused = components['responses']['IdentityTokenRefused'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterTrackingNo = components['parameters']['TrackingNo'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listAuthorizations: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many a page holds at most. */
                limit?: number;
                /**
                 * @description Only those in this state.
                 * @example PENDING
                 */
                state?: components["schemas"]["AuthorizationState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authorizations": [
                     *         {
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "tracking_no_last4": "C5ND",
                     *           "state": "PENDING",
                     *           "partner": {
                     *             "partner_code": "HOTEL_MABUHAY",
                     *             "name": "Mabuhay Hotels Incorporated",
                     *             "purpose": "To register you as a guest, as the law asks of hotels."
                     *           },
                     *           "shares": [
                     *             "first_name",
                     *             "last_name",
                     *             "birth_date"
                     *           ],
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "age_seconds": 12,
                     *           "expires_at": "2026-11-20T08:05:00.000Z",
                     *           "answered_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        authorizations: components["schemas"]["ConsentRequest"][];
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tracking number of the record.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["TrackingNo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorization. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "tracking_no_last4": "C5ND",
                     *       "state": "PENDING",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "shares": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "age_seconds": 12,
                     *       "expires_at": "2026-11-20T08:05:00.000Z",
                     *       "answered_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tracking number of the record.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["TrackingNo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorization, accepted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "tracking_no_last4": "C5ND",
                     *       "state": "ACCEPTED",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "shares": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "age_seconds": 12,
                     *       "expires_at": null,
                     *       "answered_at": "2026-11-20T08:00:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AuthorizationNotPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tracking number of the record.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["TrackingNo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorization, declined. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "tracking_no_last4": "C5ND",
                     *       "state": "DECLINED",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "shares": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "age_seconds": 12,
                     *       "expires_at": null,
                     *       "answered_at": "2026-11-20T08:00:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AuthorizationNotPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The tracking number of the record.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["TrackingNo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authorization, revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "tracking_no_last4": "C5ND",
                     *       "state": "REVOKED",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "shares": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "age_seconds": 12,
                     *       "expires_at": null,
                     *       "answered_at": "2026-11-20T08:00:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsentRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AuthorizationNotPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueExchangeCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "partner_code": "HOTEL_MABUHAY"
                 *     }
                 */
                "application/json": {
                    partner_code: components["schemas"]["PartnerCode"];
                };
            };
        };
        responses: {
            /** @description The exchange code. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exchange_code": "twx_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *       "expires_at": "2026-11-20T08:01:00.000Z",
                     *       "redirect_url": "https://partner.example/signed-in?exchange_code=twx_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
                     *     }
                     */
                    "application/json": components["schemas"]["ExchangeCode"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueQrCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "purpose": "inquire"
                 *     }
                 */
                "application/json": {
                    purpose: components["schemas"]["QrPurpose"];
                };
            };
        };
        responses: {
            /** @description The QR value. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "qr_value": "TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A",
                     *       "expires_at": "2026-11-20T08:01:00.000Z",
                     *       "refresh_at": "2026-11-20T08:00:30.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["QrCode"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
