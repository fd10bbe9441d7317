// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/citizens/{uniqid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Write a citizen
         * @description Create the citizen or replace what is known of them. Needs `citizens:write`.
         */
        put: operations["upsertCitizen"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a partner
         * @description The partner and its credentials. The secrets are shown this once. Needs `partners:write`.
         */
        post: operations["createPartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a partner
         * @description Let a suspended partner work again. Needs `partners:write`.
         */
        post: operations["resumePartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a partner
         * @description Refuse every request of the partner until it is resumed. Needs `partners:write`.
         */
        post: operations["suspendPartner"];
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
         * Citizen registration
         * @description What the registry knows of a citizen.
         */
        CitizenRegistration: {
            passport: components["schemas"]["Passport"] | null;
            /** @description `postal` holds digits or null here; `uniqid` equals the one in the path. */
            profile: components["schemas"]["Profile"] & {
                postal?: string | null;
            };
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
        /** Partner */
        Partner: {
            /** @description Where events will be sent. */
            callback_url: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description The legal name, which the citizen reads. */
            name: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description Why the partner asks, which the citizen reads. */
            purpose: string;
            scopes: components["schemas"]["Scope"][];
            /** @description Where the citizen app hands exchange codes to. */
            sso_url: string | null;
            /** @enum {string} */
            status: "ACTIVE" | "SUSPENDED";
        };
        /**
         * Partner code
         * @description Names the partner. Chosen by the administrator.
         */
        PartnerCode: string;
        /**
         * Partner credentials
         * @description Everything a partner needs. The secrets are shown this once and stored only as a keyed hash.
         */
        PartnerCredentials: {
            /**
             * Format: date-time
             * @description When the two secrets expire.
             */
            expires_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description For the body of the token operation. */
            partner_secret: string;
            /** @description For the header `X-Secret-Code`. */
            secret_code: string;
            /** @description For the header `X-Secret-Token`. */
            secret_token: string;
        };
        /** Partner registration */
        PartnerRegistration: {
            /**
             * Format: uri
             * @description Where events will be sent. `https` (in the sandbox also `http` on a loopback address).
             */
            callback_url?: string | null;
            /** @description The legal name, which the citizen reads. */
            name: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description Why the partner asks, which the citizen reads. */
            purpose: string;
            scopes: components["schemas"]["Scope"][];
            /**
             * Format: uri
             * @description Where the citizen app hands exchange codes to. `https` (in the sandbox also `http` on a loopback address).
             */
            sso_url?: string | null;
        };
        /**
         * Passport
         * @description The citizen's passport. A citizen without one has this object with every field an empty string.
         */
        Passport: {
            /** @description `MM/DD/YYYY`. */
            birth_date: string;
            /** @description `MM/DD/YYYY`. */
            expiry_date: string;
            first_name: string;
            /** @description Mixed case, for example `Male`. */
            gender: string;
            last_name: string;
            middle_name: string;
            passport_number: string;
            place_issued: string;
            suffix: string;
        };
        /**
         * Profile
         * @description A citizen's government profile, as the partner profile API gives it.
         */
        Profile: {
            /** @description The full address in one line. */
            address: string;
            address_line_2: string;
            barangay: string;
            /** @description Philippine Standard Geographic Code. */
            barangay_code: string;
            /** @description `YYYY-MM-DD`. */
            birth_date: string;
            country: string;
            country_id: number;
            email: string;
            first_name: string;
            /** @description The address abroad of a citizen who lives there. */
            foreign_address: string | null;
            /** @description Lower case, for example `male`. */
            gender: string;
            last_name: string;
            middle_name: string | null;
            /** @description International format with a leading `+`. */
            mobile: string;
            municipality: string;
            /** @description Philippine Standard Geographic Code. */
            municipality_code: string;
            nationality: string;
            /**
             * Format: uri
             * @description URL of the photo.
             */
            photo: string;
            /** @description Always `null` in the partner profile API; single sign-on carries it. */
            postal: string | null;
            province: string;
            /** @description Philippine Standard Geographic Code. */
            province_code: string;
            region: string;
            /** @description Philippine Standard Geographic Code. */
            region_code: string;
            street: string;
            /** @description For example `Jr.` or `III`. */
            suffix: string | null;
            /** @description The citizen's identifier. */
            uniqid: string;
        };
        /**
         * Scope
         * @description What a partner may do, granted by the administrator.
         *     `PROFILE_INQUIRE`: request authorization and inquire. `PROFILE_VIEW`: profile by QR value. `SSO_AUTHENTICATION`: sign citizens in.
         * @enum {string}
         */
        Scope: "PROFILE_INQUIRE" | "PROFILE_VIEW" | "SSO_AUTHENTICATION";
    };
    responses: {
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
        /** @description The token lacks the operation's scope. */
        OperatorRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "message": "The token lacks the scope partners:write",
                 *       "error": "scope_not_granted",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "scope_not_granted";
                    /** @constant */
                    status?: 403;
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
         * @description The partner's code.
         * @example HOTEL_MABUHAY
         */
        PartnerCode: string;
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
export type CitizenRegistration = components['schemas']['CitizenRegistration'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Partner = components['schemas']['Partner'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type PartnerCredentials = components['schemas']['PartnerCredentials'];
export type PartnerRegistration = components['schemas']['PartnerRegistration'];
export type Passport = components['schemas']['Passport'];
export type Profile = components['schemas']['Profile'];
export type Scope = components['schemas']['Scope'];
export type ResponseIdentityTokenRefused = components['responses']['IdentityTokenRefused'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseOperatorRefused = components['responses']['OperatorRefused'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterPartnerCode = components['parameters']['PartnerCode'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    upsertCitizen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example CTZ-0000000001 */
                uniqid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CitizenRegistration"];
            };
        };
        responses: {
            /** @description Written. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uniqid": "CTZ-0000000001",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        /** @description Whether the citizen was unknown before. */
                        created: boolean;
                        uniqid: string;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPartner: {
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
                 *       "partner_code": "HOTEL_MABUHAY",
                 *       "name": "Mabuhay Hotels Incorporated",
                 *       "purpose": "To register you as a guest, as the law asks of hotels.",
                 *       "scopes": [
                 *         "PROFILE_INQUIRE",
                 *         "SSO_AUTHENTICATION"
                 *       ],
                 *       "callback_url": "https://hotel.example/tiwala/callback",
                 *       "sso_url": "https://hotel.example/signed-in"
                 *     }
                 */
                "application/json": components["schemas"]["PartnerRegistration"];
            };
        };
        responses: {
            /** @description The partner and its credentials. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels.",
                     *         "scopes": [
                     *           "PROFILE_INQUIRE",
                     *           "SSO_AUTHENTICATION"
                     *         ],
                     *         "status": "ACTIVE",
                     *         "callback_url": "https://hotel.example/tiwala/callback",
                     *         "sso_url": "https://hotel.example/signed-in",
                     *         "created_at": "2026-11-20T08:00:00.000Z"
                     *       },
                     *       "credentials": {
                     *         "secret_code": "twc_0123456789ABCDEFGHIJ",
                     *         "secret_token": "twt_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "partner_secret": "tws_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "expires_at": "2027-11-20T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        credentials: components["schemas"]["PartnerCredentials"];
                        partner: components["schemas"]["Partner"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePartner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner, active. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "name": "Mabuhay Hotels Incorporated",
                     *       "purpose": "To register you as a guest, as the law asks of hotels.",
                     *       "scopes": [
                     *         "PROFILE_INQUIRE",
                     *         "SSO_AUTHENTICATION"
                     *       ],
                     *       "status": "ACTIVE",
                     *       "callback_url": "https://hotel.example/tiwala/callback",
                     *       "sso_url": "https://hotel.example/signed-in",
                     *       "created_at": "2026-11-20T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
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
    suspendPartner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner, suspended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "name": "Mabuhay Hotels Incorporated",
                     *       "purpose": "To register you as a guest, as the law asks of hotels.",
                     *       "scopes": [
                     *         "PROFILE_INQUIRE",
                     *         "SSO_AUTHENTICATION"
                     *       ],
                     *       "status": "SUSPENDED",
                     *       "callback_url": "https://hotel.example/tiwala/callback",
                     *       "sso_url": "https://hotel.example/signed-in",
                     *       "created_at": "2026-11-20T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
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
