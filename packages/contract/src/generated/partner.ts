// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/api/partner/sso_authentication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * SSO authentication
         * @description Use the access token once to get the signed-in citizen's profile with passport. Send no body; an empty one, `{}` or `null` is ignored.
         *
         *     The token is used up only together with the answer: after a `500` or `503`, send it again.
         */
        post: operations["authenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/authorizations/{tracking_no}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a request
         * @description Withdraw a request of yours that the citizen has not answered. It ends as `CANCELLED`, and the citizen's app stops showing it.
         *     Cancelling again changes nothing and is no error. A record that ended in another way stays as it is: `409`.
         *     Needs the scope `PROFILE_INQUIRE`.
         */
        delete: operations["cancelAuthorization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/diagnostics/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why was it refused
         * @description Which check of a refused request of yours failed, and why: ask with the `request_id` of the refusal. It is there about a second after the refusal
         *     and for 24 hours; a request that is not yours, that was not refused or that is longer ago is `404`.
         *
         *     Refusals of `generateToken` and `authenticate` are asked for here, too, with the secret headers of the same partner. A request with a wrong
         *     `X-Secret-Token` or `partner_secret` counts as that of the partner whose `X-Secret-Code` or `partner_code` it named. Not kept: what names no
         *     partner, `5xx`, and what exceeds 60 refusals of yours in a minute.
         */
        get: operations["readDiagnosis"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/inquire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Inquire by tracking number
         * @description Read a record of yours. Once the citizen has accepted, `is_accepted` is `1` and `response` is the profile.
         *     `is_accepted` other than `null` means: stop asking. `X-Authorization-State` names the state exactly.
         *
         *     While the record is pending, ask again after `Retry-After` seconds; asking for the same record within 2 seconds is refused with `slow_down`.
         *     Better, send `Prefer: wait=25`: the answer then comes when the state changes, or after 25 seconds, and `Retry-After` is `0`.
         *     It comes with `401` or `403` as soon as your secret, scope or address no longer permits the request.
         *     At most 200 of your inquiries wait at once, 5 of them for one record (in each process of the service): beyond, `429 rate_limited`.
         *     The profile can be read for 3,600 seconds after it was given, then the answer is `410`. Needs the scope `PROFILE_INQUIRE`.
         */
        get: operations["inquire"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/partner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description Tests your credentials: tells who you are here, what you may do, until when your secrets are good and how often you may call. Consumes nothing
         *     and counts against no limit.
         */
        get: operations["readPartnerSelf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/profile_by_qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Profile by QR value
         * @description Get the profile at once with a QR value that the citizen made for sharing (purpose `share`). Showing it was the consent.
         *
         *     The QR value works once. Sent again by you within 30 seconds, it returns the same record, so a retry is safe. Needs the scope `PROFILE_VIEW`.
         *     With the scope `PROFILE_INQUIRE` as well, you can `inquire` the record by its new `tracking_no` for 3,600 seconds.
         */
        get: operations["profileByQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/request_authorization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request authorization
         * @description Ask for a citizen's profile with the QR value the citizen shows. The answer is a pending record: keep its `tracking_no` and `inquire` by it.
         *     The citizen app shows your name and purpose, and the last four characters of the tracking number: show them too, so that the two can be compared.
         *
         *     The QR value works once. Sent again by you within 30 seconds, it returns the same record in its present state, so a retry is safe.
         *     At most 5 requests wait for one citizen at once, 3 of them yours, and 30 are made in an hour: beyond, `429`, and the QR value is not used up.
         *
         *     Takes a QR value of either purpose (`inquire` or `share`). Needs the scope `PROFILE_INQUIRE`.
         */
        post: operations["requestAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate an access token
         * @description Exchange the code that the citizen app handed to your application for a one-time access token. No header: you prove yourself with
         *     `partner_code` and `partner_secret`. Checked in this order: credentials, scope, code.
         *
         *     The code works once. If you send a code again that you exchanged over a second ago, it is refused and the token it gave is revoked:
         *     a code seen twice has leaked. Needs the scope `SSO_AUTHENTICATION`.
         */
        post: operations["generateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "authorization.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accepted
         * @description The citizen accepted. Inquire to get the profile, within 3,600 seconds.
         */
        post: operations["onAuthorizationAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "authorization.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancelled
         * @description You withdrew the request.
         */
        post: operations["onAuthorizationCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "authorization.declined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Declined
         * @description The citizen declined.
         */
        post: operations["onAuthorizationDeclined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "authorization.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expired
         * @description Nobody answered in time.
         */
        post: operations["onAuthorizationExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "authorization.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoked
         * @description The citizen took back what was accepted or shared; the record gives no profile any more.
         */
        post: operations["onAuthorizationRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credential.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A secret expires
         * @description One of your secrets expires within 30 days. Ask the administrator for a new one.
         */
        post: operations["onCredentialExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "profile.viewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Viewed
         * @description You were given a profile by QR value.
         */
        post: operations["onProfileViewed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "sso.authenticated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signed in
         * @description A citizen signed in with you.
         */
        post: operations["onSsoAuthenticated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test
         * @description The administrator tests whether events reach you.
         */
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * Accepted authorization
         * @description The citizen accepted; `response` is the profile as it was at that moment.
         */
        AcceptedAuthorization: {
            accepted_at?: string;
            callback_url?: null;
            /** @constant */
            is_accepted?: 1;
            pcn?: string;
            response?: components["schemas"]["Profile"];
            /** @constant */
            scope?: "PROFILE_INQUIRE";
        } & components["schemas"]["Authorization"];
        /**
         * Authorization record
         * @description One partner's access to one citizen's profile. `is_accepted` leads: `null` with `response` `null` is pending, `1` is accepted,
         *     `0` has ended without a profile; on a profile-by-QR record it stays `null` while `response` holds the profile.
         */
        Authorization: {
            /** @description `YYYY-MM-DD HH:MM:SS` in the time zone that `X-Time-Zone` names. */
            accepted_at: string | null;
            /** @description On a profile-by-QR record the URL the administrator registered for the partner, if any; otherwise `null`. */
            callback_url: string | null;
            /** @description Record identifier. It says nothing of order or number. */
            id: number;
            /** @enum {integer|null} */
            is_accepted: 1 | 0 | null;
            payload: {
                /** @description The QR value that was submitted. */
                qr_value: string;
            };
            /** @description The citizen's `uniqid`; the literal `-` on a profile-by-QR record. */
            pcn: string | null;
            response: components["schemas"]["Profile"] | null;
            /** @enum {string} */
            scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
            tracking_no: components["schemas"]["TrackingNo"];
        };
        /**
         * Authorization event
         * @description A record of yours changed. Without personal data; inquire by the tracking number.
         */
        AuthorizationEvent: {
            data: {
                /** @enum {string} */
                scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
                state: components["schemas"]["AuthorizationState"];
                tracking_no: components["schemas"]["TrackingNo"];
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @enum {string} */
            type: "authorization.accepted" | "authorization.declined" | "authorization.expired" | "authorization.cancelled" | "authorization.revoked" | "profile.viewed";
        };
        /**
         * Authorization state
         * @enum {string}
         */
        AuthorizationState: "PENDING" | "ACCEPTED" | "DECLINED" | "EXPIRED" | "CANCELLED" | "REVOKED" | "VIEWED";
        /**
         * Check name
         * @description `request`: readable, of a size and type that are taken, answerable in JSON. `browser`: no `Origin` header. `credentials`: a valid pair.
         *     `suspension`: not suspended. `address`: on your list of addresses. `fields`: they keep the contract. `rate`: within the limits. `scope`: given and
         *     granted. `polling`: the record was not asked for a moment ago. `citizen_rate`: the citizen has not been asked too often. `record`: there is one of
         *     this number. `state`: it allows this. `result`: its profile can still be read.
         * @enum {string}
         */
        CheckName: "request" | "browser" | "credentials" | "suspension" | "address" | "fields" | "rate" | "scope" | "qr_value" | "citizen_rate" | "polling" | "record" | "result" | "state" | "exchange_code" | "access_token";
        /**
         * Credential event
         * @description A secret of yours is about to expire.
         */
        CredentialEvent: {
            data: {
                /** @enum {string} */
                credential: "secret_token" | "partner_secret";
                /** Format: date-time */
                expires_at: string;
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @constant */
            type: "credential.expiring";
        };
        /**
         * Diagnosis
         * @description Which check of a refused request failed. No citizen, no secret, no code, nothing of another partner's.
         */
        Diagnosis: {
            /** @description All checks of the operation, in their order. Exactly one has failed; those behind it were not reached. */
            checks: components["schemas"]["DiagnosisCheck"][];
            error: components["schemas"]["ErrorCode"];
            /** Format: date-time */
            occurred_at: string;
            /** @description The operationId; null where the request was refused before that was looked at. */
            operation: string | null;
            /** @description Of the refused request. */
            request_id: string;
            /** @description The HTTP status of the refusal. */
            status: number;
        };
        /** Diagnosis check */
        DiagnosisCheck: {
            check: components["schemas"]["CheckName"];
            /**
             * @description For people; null where there is nothing to add. Of a QR value, code or token for example `used 12 s ago`, `expired 41 s ago`,
             *     `contains white space at its end`, `issued to another partner`, `made for inquire; profile by QR needs a value made for share`,
             *     `used by another partner`, or `unknown, or not usable` for a value that does not exist or that its citizen forbids.
             */
            detail: string | null;
            /** @enum {string} */
            outcome: "passed" | "failed" | "not_reached";
        };
        /**
         * Ended authorization
         * @description Declined, expired, cancelled or revoked; `X-Authorization-State` says which. `accepted_at` stays set on a revoked record only.
         */
        EndedAuthorization: {
            /** @constant */
            is_accepted?: 0;
            pcn?: string;
            response?: null;
        } & components["schemas"]["Authorization"];
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
        ErrorCode: "malformed_request" | "credentials_missing" | "credentials_invalid" | "token_missing" | "token_invalid" | "token_expired" | "token_used" | "partner_invalid" | "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden" | "tracking_no_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "authorization_not_pending" | "refused_by_preferences" | "result_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "qr_value_invalid" | "scope_invalid" | "exchange_code_invalid" | "slow_down" | "rate_limited" | "quota_exceeded" | "internal_error" | "unavailable";
        /**
         * Partner self
         * @description What a partner is told of itself.
         */
        PartnerSelf: {
            /** @description Where events are sent. */
            callback_url: string | null;
            /** @enum {string} */
            environment: "sandbox" | "live";
            /** @description How often you may call. Null for a day means no quota. */
            limits: {
                per_day: number | null;
                requests_per_minute: number;
                sign_ins_per_minute: number;
                tokens_per_minute: number;
                views_per_minute: number;
            };
            /** @description The legal name, which the citizen reads. */
            name: string;
            partner_code: string;
            scopes: components["schemas"]["Scope"][];
            /** @description For each kind of secret, until when the newest valid one is good; null where none is valid. */
            secrets: {
                partner_secret: components["schemas"]["SecretExpiry"];
                secret_token: components["schemas"]["SecretExpiry"];
            };
            /** @description Where the citizen app hands exchange codes to. */
            sso_url: string | null;
            /**
             * @description A suspended partner is refused with `partner_suspended`.
             * @constant
             */
            status: "ACTIVE";
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
         * Pending authorization
         * @description The citizen has not answered yet.
         */
        PendingAuthorization: {
            accepted_at?: null;
            callback_url?: null;
            is_accepted?: null;
            pcn?: string;
            response?: null;
            /** @constant */
            scope?: "PROFILE_INQUIRE";
        } & components["schemas"]["Authorization"];
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
        /** QR submission */
        QrSubmission: {
            /** @description The QR value from the citizen app, exactly as scanned. */
            qr_value: string;
        };
        /**
         * Scope
         * @description What a partner may do, granted by the administrator.
         *     `PROFILE_INQUIRE`: request authorization and inquire. `PROFILE_VIEW`: profile by QR value. `SSO_AUTHENTICATION`: sign citizens in.
         * @enum {string}
         */
        Scope: "PROFILE_INQUIRE" | "PROFILE_VIEW" | "SSO_AUTHENTICATION";
        SecretExpiry: {
            /** Format: date-time */
            expires_at: string | null;
        };
        /**
         * Sign-in event
         * @description A citizen signed in with you.
         */
        SignInEvent: {
            data: {
                /** @enum {string} */
                scope: "SSO_AUTHENTICATION";
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @constant */
            type: "sso.authenticated";
        };
        /**
         * Single sign-on profile
         * @description The signed-in citizen's profile. It differs from the profile of the partner profile API in `birth_date`, `gender`, `postal` and `passport`.
         */
        SsoProfile: {
            /** @description The full address in one line. */
            address: string;
            address_line_2: string;
            barangay: string;
            /** @description Philippine Standard Geographic Code. */
            barangay_code: string;
            /** @description `MM/DD/YYYY`. */
            birth_date: string;
            country: string;
            country_id: number;
            email: string;
            first_name: string;
            /** @description The address abroad of a citizen who lives there. */
            foreign_address: string | null;
            /** @description Upper case, for example `MALE`. */
            gender: string;
            last_name: string;
            middle_name: string | null;
            /** @description International format with a leading `+`. */
            mobile: string;
            municipality: string;
            /** @description Philippine Standard Geographic Code. */
            municipality_code: string;
            nationality: string;
            passport: components["schemas"]["Passport"];
            /**
             * Format: uri
             * @description URL of the photo.
             */
            photo: string;
            /** @description The postal code as a number; `0` where the citizen has none. */
            postal: number;
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
        /** Token request */
        TokenRequest: {
            /** @description Handed to your application by the citizen app. It lives 60 seconds and works once. */
            exchange_code: string;
            /** @description Issued to the partner by the administrator. */
            partner_code: string;
            /** @description Issued to the partner by the administrator. Keep it on your server: a request that carries it from a browser is refused. */
            partner_secret: string;
            /** @description The value `SSO_AUTHENTICATION`. */
            scope: string;
        };
        /**
         * Tracking number
         * @description Names one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
        /**
         * Viewed authorization
         * @description The citizen showed a QR value made for sharing; `response` is the profile at once.
         */
        ViewedAuthorization: {
            accepted_at?: null;
            is_accepted?: null;
            /** @constant */
            pcn?: "-";
            response?: components["schemas"]["Profile"];
            /** @constant */
            scope?: "PROFILE_VIEW";
        } & components["schemas"]["Authorization"];
        /**
         * Test event
         * @description Sent by the administrator to see whether events reach you.
         */
        WebhookTestEvent: {
            data: Record<string, never>;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @constant */
            type: "webhook.test";
        };
    };
    responses: {
        /** @description The access token is missing, not ours, older than 300 seconds, or already used. */
        AccessTokenRefused: {
            headers: {
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "message": "The access token was already used",
                 *       "error": "token_used",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "token_missing" | "token_invalid" | "token_expired" | "token_used";
                    /** @constant */
                    status?: 401;
                };
            };
        };
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
                 *       "message": "The state of the authorization does not allow this",
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
        /** @description `X-Secret-Code` or `X-Secret-Token` is missing, or they are not a valid pair. */
        CredentialsRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 401,
                 *       "message": "X-Secret-Code (twc_...) or X-Secret-Token (twt_...) is not valid",
                 *       "error": "credentials_invalid",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "credentials_missing" | "credentials_invalid";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description No refusal of yours has this `request_id`: unknown, somebody else's, not kept, or over 24 hours ago. */
        DiagnosisNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 404,
                 *       "message": "No refusal of yours has this request_id",
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
                 *       "message": "The service failed. Send the request again.",
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
                 *       "message": "Every response is application/json",
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
        /** @description The credentials are right, but this partner is suspended, or may not call from here. */
        OwnerRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "message": "This partner is suspended",
                 *       "error": "partner_suspended",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The credentials are right, but this partner may not do this, or not from here. */
        PartnerRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "message": "The scope PROFILE_INQUIRE is not granted to this partner",
                 *       "error": "scope_not_granted",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden";
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
        /** @description The record was asked for less than 2 seconds ago (`slow_down`), or too many requests came (`rate_limited`, `quota_exceeded`). */
        PolledTooOften: {
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
                 *       "message": "This record was asked for less than 2 seconds ago",
                 *       "error": "slow_down",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "slow_down" | "rate_limited" | "quota_exceeded";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description A field is missing or wrong (`validation_failed`), or the QR value is unknown, used, expired, made for another purpose or shown to somebody else (`qr_value_invalid`, always one answer). */
        QrValueRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 422,
                 *       "message": "Invalid qr_value",
                 *       "error": "qr_value_invalid",
                 *       "errors": {
                 *         "qr_value": [
                 *           "Invalid qr_value"
                 *         ]
                 *       },
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "validation_failed" | "qr_value_invalid";
                    /** @constant */
                    status?: 422;
                };
            };
        };
        /** @description The profile could be read for 3,600 seconds and has been withdrawn. Ask the citizen again. */
        ResultExpired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 410,
                 *       "message": "The profile of this record is no longer available",
                 *       "error": "result_expired",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "result_expired";
                    /** @constant */
                    status?: 410;
                };
            };
        };
        /** @description `partner_code` or `partner_secret` is wrong, or this partner may not do this, or not from here. */
        SsoPartnerRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "message": "partner_code or partner_secret (tws_...) is not valid",
                 *       "error": "partner_invalid",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_invalid" | "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The partner that obtained the token may no longer use it, or not from here. The token is not consumed. */
        TokenPartnerRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 403,
                 *       "message": "This partner is suspended",
                 *       "error": "partner_suspended",
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "scope_not_granted" | "ip_not_allowed";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description A field is missing or wrong (`validation_failed`), `scope` is none of this operation (`scope_invalid`), or the exchange code is unknown, used, expired or somebody else's (`exchange_code_invalid`, always one answer). */
        TokenRequestRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 422,
                 *       "message": "Invalid exchange_code",
                 *       "error": "exchange_code_invalid",
                 *       "errors": {
                 *         "exchange_code": [
                 *           "Invalid exchange_code"
                 *         ]
                 *       },
                 *       "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "validation_failed" | "scope_invalid" | "exchange_code_invalid";
                    /** @constant */
                    status?: 422;
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
                 *       "message": "The service is not available now",
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
                 *       "message": "The Content-Type is not supported by this operation",
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
                 *       "message": "A field is missing or wrong. See errors.",
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
        /**
         * @description Names the event; the same at every attempt, so that what came twice can be told.
         * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
         */
        WebhookId: string;
        /**
         * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
         *     space: one that fits is enough.
         * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
         */
        WebhookSignature: string;
        /**
         * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
         * @example 1795161612
         */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description While the record is pending, when the request expires unanswered (RFC 3339, UTC).
         * @example 2026-11-20T08:05:00.000Z
         */
        AuthorizationExpiresAt: string;
        /**
         * @description The state of the record, by name: `PENDING`, `ACCEPTED`, `DECLINED`, `EXPIRED`, `CANCELLED`, `REVOKED` or `VIEWED`.
         *     The body tells them apart by `is_accepted`: `null` pending (or viewed), `1` accepted, `0` ended without a profile.
         */
        AuthorizationState: components["schemas"]["AuthorizationState"];
        /**
         * @description What of `Prefer` was honoured (RFC 7240, section 3).
         * @example wait=25
         */
        PreferenceApplied: string;
        /**
         * @description Identifies this request. Quote it when you ask the administrator about an answer.
         * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
         */
        RequestId: string;
        /**
         * @description While the record is pending, seconds to wait before asking again (RFC 9110, section 10.2.3). `0` where the request waited already (`Prefer: wait`).
         * @example 2
         */
        RetryAfter: number;
        /**
         * @description The IANA time zone in which `accepted_at` is written.
         * @example Asia/Manila
         */
        TimeZone: string;
        /**
         * @description The bearer challenge (RFC 6750, section 3).
         * @example Bearer error="invalid_token"
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type AcceptedAuthorization = components['schemas']['AcceptedAuthorization'];
export type Authorization = components['schemas']['Authorization'];
export type AuthorizationEvent = components['schemas']['AuthorizationEvent'];
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type CheckName = components['schemas']['CheckName'];
export type CredentialEvent = components['schemas']['CredentialEvent'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type DiagnosisCheck = components['schemas']['DiagnosisCheck'];
export type EndedAuthorization = components['schemas']['EndedAuthorization'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type PartnerSelf = components['schemas']['PartnerSelf'];
export type Passport = components['schemas']['Passport'];
export type PendingAuthorization = components['schemas']['PendingAuthorization'];
export type Profile = components['schemas']['Profile'];
export type QrSubmission = components['schemas']['QrSubmission'];
export type Scope = components['schemas']['Scope'];
export type SecretExpiry = components['schemas']['SecretExpiry'];
export type SignInEvent = components['schemas']['SignInEvent'];
export type SsoProfile = components['schemas']['SsoProfile'];
export type TokenRequest = components['schemas']['TokenRequest'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type ViewedAuthorization = components['schemas']['ViewedAuthorization'];
export type WebhookTestEvent = components['schemas']['WebhookTestEvent'];
export type ResponseAccessTokenRefused = components['responses']['AccessTokenRefused'];
export type ResponseAuthorizationNotPending = components['responses']['AuthorizationNotPending'];
export type ResponseCredentialsRefused = components['responses']['CredentialsRefused'];
export type ResponseDiagnosisNotFound = components['responses']['DiagnosisNotFound'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseOwnerRefused = components['responses']['OwnerRefused'];
export type ResponsePartnerRefused = components['responses']['PartnerRefused'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePolledTooOften = components['responses']['PolledTooOften'];
export type ResponseQrValueRefused = components['responses']['QrValueRefused'];
export type ResponseResultExpired = components['responses']['ResultExpired'];
export type ResponseSsoPartnerRefused = components['responses']['SsoPartnerRefused'];
export type ResponseTokenPartnerRefused = components['responses']['TokenPartnerRefused'];
export type ResponseTokenRequestRefused = components['responses']['TokenRequestRefused'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterTrackingNo = components['parameters']['TrackingNo'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type HeaderAuthorizationExpiresAt = components['headers']['AuthorizationExpiresAt'];
export type HeaderAuthorizationState = components['headers']['AuthorizationState'];
export type HeaderPreferenceApplied = components['headers']['PreferenceApplied'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderTimeZone = components['headers']['TimeZone'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    authenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed-in citizen. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SsoProfile"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["AccessTokenRefused"];
            403: components["responses"]["TokenPartnerRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAuthorization: {
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
            /** @description The record, cancelled. */
            200: {
                headers: {
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EndedAuthorization"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["PartnerRefused"];
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
    readDiagnosis: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `request_id` (or `X-Request-Id`) of the refusal.
                 * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was checked, in the order in which it is checked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Diagnosis"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["OwnerRefused"];
            404: components["responses"]["DiagnosisNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inquire: {
        parameters: {
            query: {
                /**
                 * @description The tracking number from `requestAuthorization` (or of a profile-by-QR record).
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: string;
            };
            header?: {
                /**
                 * @description `wait=` and how many seconds a pending record may be waited for, up to 25 (RFC 7240, section 4.3). The service may answer sooner; other
                 *     preferences are ignored.
                 * @example wait=25
                 */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record as it stands now. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Authorization-Expires-At": components["headers"]["AuthorizationExpiresAt"];
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingAuthorization"] | components["schemas"]["AcceptedAuthorization"] | components["schemas"]["EndedAuthorization"] | components["schemas"]["ViewedAuthorization"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["PartnerRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["ResultExpired"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["PolledTooOften"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readPartnerSelf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your own registration, as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PartnerSelf"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["OwnerRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    profileByQr: {
        parameters: {
            query: {
                /**
                 * @description The QR value from the citizen app, exactly as scanned.
                 * @example TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A
                 */
                qr_value: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record with the profile. */
            200: {
                headers: {
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ViewedAuthorization"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["PartnerRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["QrValueRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestAuthorization: {
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
                 *       "qr_value": "TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A"
                 *     }
                 */
                "application/json": components["schemas"]["QrSubmission"];
                /**
                 * @example {
                 *       "qr_value": "TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["QrSubmission"];
                /**
                 * @example {
                 *       "qr_value": "TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["QrSubmission"];
            };
        };
        responses: {
            /** @description The record, pending (or, on a retry, as it stands now). */
            200: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "X-Authorization-Expires-At": components["headers"]["AuthorizationExpiresAt"];
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PendingAuthorization"] | components["schemas"]["AcceptedAuthorization"] | components["schemas"]["EndedAuthorization"];
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        status: 200;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["CredentialsRefused"];
            403: components["responses"]["PartnerRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QrValueRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    generateToken: {
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
                 *       "partner_code": "SANDBOX",
                 *       "partner_secret": "tws_test_yourPartnerSecret",
                 *       "scope": "SSO_AUTHENTICATION",
                 *       "exchange_code": "twx_theCodeFromTheCitizenApp"
                 *     }
                 */
                "application/json": components["schemas"]["TokenRequest"];
                /**
                 * @example {
                 *       "partner_code": "SANDBOX",
                 *       "partner_secret": "tws_test_yourPartnerSecret",
                 *       "scope": "SSO_AUTHENTICATION",
                 *       "exchange_code": "twx_theCodeFromTheCitizenApp"
                 *     }
                 */
                "application/x-www-form-urlencoded": components["schemas"]["TokenRequest"];
                /**
                 * @example {
                 *       "partner_code": "SANDBOX",
                 *       "partner_secret": "tws_test_yourPartnerSecret",
                 *       "scope": "SSO_AUTHENTICATION",
                 *       "exchange_code": "twx_theCodeFromTheCitizenApp"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description The token, alone. There is no envelope. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "twa_ASQ5MTZmMTE2MC1iMDk0LTQ3MjctYWU3Zi0zNTk3MmVlZGFkOTiGBbvkTjPkroFZQ4art0nUKN9CkjvlPmGRedLgrUHPw-t2oIY2wv3BtUja8BGaLv53kfoaCxjgXC7ND6Qb9F2BCITJgz5T0bh_"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description An encrypted string that only the service can read. Send it exactly as you received it. It works once, expires after
                         *     300 seconds, and ends with the `partner_secret` that obtained it.
                         */
                        access_token: string;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            403: components["responses"]["SsoPartnerRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["TokenRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    onAuthorizationAccepted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.accepted",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "ACCEPTED",
                 *         "scope": "PROFILE_INQUIRE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAuthorizationCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.cancelled",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "CANCELLED",
                 *         "scope": "PROFILE_INQUIRE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAuthorizationDeclined: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.declined",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "DECLINED",
                 *         "scope": "PROFILE_INQUIRE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAuthorizationExpired: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.expired",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "EXPIRED",
                 *         "scope": "PROFILE_INQUIRE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onAuthorizationRevoked: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.revoked",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "REVOKED",
                 *         "scope": "PROFILE_INQUIRE"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCredentialExpiring: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "credential.expiring",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "credential": "secret_token",
                 *         "expires_at": "2026-12-20T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CredentialEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onProfileViewed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "profile.viewed",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *         "state": "VIEWED",
                 *         "scope": "PROFILE_VIEW"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AuthorizationEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSsoAuthenticated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "sso.authenticated",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {
                 *         "scope": "SSO_AUTHENTICATION"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SignInEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the event; the same at every attempt, so that what came twice can be told.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` and the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body` by your webhook secret. While the secret is rotated, two of these, separated by a
                 *     space: one that fits is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description When this attempt was made, in seconds since 1970 (UTC). Refuse what is older or newer than 5 minutes.
                 * @example 1795161612
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "webhook.test",
                 *       "timestamp": "2026-11-20T08:00:12.345Z",
                 *       "data": {}
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received. Answer at once and work afterwards; the body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Send no more events. The administrator has to turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
