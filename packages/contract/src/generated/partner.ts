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
         * @description Use the access token once to get the profile and the passport of the signed-in citizen. Send no body. An
         *     empty body, `{}` or `null` is ignored.
         *
         *     The token is consumed only together with the response: after a `500` or `503`, send the request again.
         */
        post: operations["authenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/pub/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your records
         * @description List your authorization records, newest first, one page at a time: their tracking numbers, states and times.
         *     Use it to find requests that your server has lost track of.
         *
         *     The list contains the records of `requestAuthorization` and of `profileByQr`. It never contains a profile, a
         *     `uniqid` or a QR value: `inquire` by the `tracking_no` to get the profile. Listing a record is neither an
         *     inquiry nor a disclosure.
         *
         *     While you read the pages, each record is on one page only, also when new records arrive. Records that are
         *     newer than the first page are not on the pages after it: start again without `cursor` to get them. A filter
         *     by `state` applies to the state at the time of each request, so send the same `state` with every page. A
         *     record that changes its state between two pages can leave or join the filtered list.
         */
        get: operations["listRecords"];
        put?: never;
        post?: never;
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
         * @description Withdraw a request of yours that the citizen has not answered. The record ends as `CANCELLED`, and the
         *     citizen app stops showing it.
         *
         *     Canceling again changes nothing and is not an error. If the record ended in another way, it stays as it is
         *     and the response is `409`.
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
         * Explain a rejected request
         * @description Find out which check rejected a request of yours, and why. Send the `request_id` of the error response.
         *     The diagnosis exists from about a second after the error, for 24 hours. If the request is not yours, was
         *     not rejected, or is older than that, the response is `404`.
         *
         *     For `generateToken` and `authenticate`, also use this operation, with the secret headers of the same
         *     partner. For OpenID Connect, too: the id is in the header `X-Request-Id`, at the end of the
         *     description of an error that a browser brings back, and on the page of the error.
         *
         *     A request with a wrong `X-Secret-Token` or `partner_secret` counts as a request of the partner that its
         *     `X-Secret-Code` or `partner_code` names. The service keeps no diagnosis of a request that names no
         *     partner, of a `5xx`, and of your errors beyond 60 in a minute.
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
         * @description Read one of your records by its tracking number. After the citizen has accepted, `is_accepted` is `1` and
         *     `response` is the profile.
         *
         *     When `is_accepted` is not `null`, stop inquiring. `X-Authorization-State` gives the exact state.
         *
         *     While the record is pending, choose one of these:
         *
         *     - Wait (recommended): send `Prefer: wait=25`. The response comes when the state changes, or after 25
         *       seconds with `Retry-After: 0`. The wait ends with `401` or `403` as soon as your secret, scope or
         *       address no longer permits the request. At most 200 of your inquiries can wait at once, at most 5 of them
         *       for one record, in each process of the service. Beyond that, the response is `429 rate_limited`.
         *     - Poll: inquire again after `Retry-After` seconds. If you inquire about the same record within 2 seconds,
         *       the response is `429 slow_down`.
         *
         *     You can read the profile for 3,600 seconds after the citizen gave it. Then the response is `410`. Each time is
         *     a line in the history of the citizen, so store what you need of it: you can read it at most 60 times in an
         *     hour, in each process of the service. Beyond that, the response is `429 rate_limited`.
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
         * Read your registration
         * @description Test your credentials and read your own registration: your name, your scopes, your limits, and when your
         *     secrets expire. Consumes nothing and counts against no limit.
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
         * @description Get a profile at once with a QR value that the citizen made for sharing (purpose `share`). The citizen
         *     consents by showing this QR value.
         *
         *     The QR value works once. If you send it again within 30 seconds, you get the same record, so a retry is
         *     safe.
         *
         *     If you also have the scope `PROFILE_INQUIRE`, you can `inquire` by the `tracking_no` of the new record for
         *     3,600 seconds.
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
         * @description Request a citizen's profile with the QR value that the citizen shows. The response is a pending record:
         *     keep its `tracking_no` and `inquire` by it.
         *
         *     The citizen app shows your name, your purpose, and the last four characters of the tracking number. Show
         *     these characters on your screen too, so that the citizen can compare them.
         *
         *     The QR value can have either purpose (`inquire` or `share`). It works once. If you send it again within 30
         *     seconds, you get the same record in its current state, so a retry is safe.
         *
         *     At most 5 requests can be pending for one citizen, at most 3 of them yours, and at most 30 can be made in
         *     an hour. Beyond that, the response is `429` and the QR value is not consumed.
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
         * @description Exchange the code that the citizen app passed to your application for a single-use access token. First
         *     check the `state` that arrived with the code, as the guide "Sign citizens in" says. This
         *     operation has no credential headers: you authenticate with `partner_code` and `partner_secret` in the
         *     body.
         *
         *     The service checks the credentials first, then the scope, then the code.
         *
         *     The code works once. If you send the same code again more than a second after you exchanged it, the
         *     service rejects it and revokes the token that it gave, because a code that is sent twice has leaked.
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
         * Authorization accepted
         * @description The citizen accepted your request. Inquire within 3,600 seconds to get the profile.
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
         * Authorization canceled
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
         * Authorization declined
         * @description The citizen declined your request.
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
         * Authorization expired
         * @description The citizen did not answer your request in time.
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
         * Authorization revoked
         * @description The citizen revoked what was accepted or shared. The record no longer gives the profile.
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
         * Secret expires soon
         * @description One of your secrets expires within 30 days. Rotate it in the workbench, or ask the administrator.
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
         * Profile viewed
         * @description You got a profile by QR value.
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
         * Citizen signed in
         * @description A citizen signed in to your application with the SSO API. A sign-in by OpenID Connect has no event.
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
         * Test event
         * @description A developer of yours, the administrator or a check of the service tests whether events reach you.
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
         * @description A record that the citizen accepted. `response` is the profile at the moment of acceptance.
         */
        AcceptedAuthorization: {
            accepted_at?: string;
            /** @constant */
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
         * @description The access of one partner to one citizen's profile. Read `is_accepted` and `response` together:
         *
         *     - `is_accepted` `null`, `response` `null`: the record is pending.
         *     - `is_accepted` `1`: the record is accepted.
         *     - `is_accepted` `0`: the record has ended without a profile.
         *     - `is_accepted` `null`, `response` is the profile: a profile-by-QR record.
         */
        Authorization: {
            /** @description When the citizen accepted: `YYYY-MM-DD HH:MM:SS` in the time zone that `X-Time-Zone` names. */
            accepted_at: string | null;
            /**
             * @description On a profile-by-QR record, the URL that the administrator registered for the partner, if there is one.
             *     Otherwise `null`.
             */
            callback_url: string | null;
            /** @description The identifier of the record. It is random and reveals neither order nor number. */
            id: number;
            /**
             * @description `1` if the citizen accepted, `0` if the record has ended without a profile, otherwise `null`.
             * @enum {integer|null}
             */
            is_accepted: 1 | 0 | null;
            /** @description What the partner sent. */
            payload: {
                /** @description The QR value as the service issued it: in capitals, and without the white space that a scanner adds. */
                qr_value: string;
            };
            /** @description The citizen's `uniqid`. On a profile-by-QR record it is the literal `-`. */
            pcn: string | null;
            response: components["schemas"]["Profile"] | null;
            /**
             * @description How the partner asked: `PROFILE_INQUIRE` by a request for authorization, `PROFILE_VIEW` by a QR value made for sharing.
             * @enum {string}
             */
            scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
            tracking_no: components["schemas"]["TrackingNo"];
        };
        /**
         * Authorization event
         * @description One of your records changed. Contains no personal data: inquire by the tracking number.
         */
        AuthorizationEvent: {
            /** @description The record that changed. */
            data: {
                /**
                 * @description The scope of the record.
                 * @enum {string}
                 */
                scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
                state: components["schemas"]["AuthorizationState"];
                tracking_no: components["schemas"]["TrackingNo"];
            };
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description What happened to the record.
             * @enum {string}
             */
            type: "authorization.accepted" | "authorization.declined" | "authorization.expired" | "authorization.cancelled" | "authorization.revoked" | "profile.viewed";
        };
        /**
         * Authorization state
         * @description The state of an authorization record:
         *
         *     - `PENDING`: the citizen has not answered.
         *     - `ACCEPTED`: the citizen accepted.
         *     - `DECLINED`: the citizen declined.
         *     - `EXPIRED`: the citizen did not answer in time.
         *     - `CANCELLED`: the partner withdrew the pending request.
         *     - `REVOKED`: the citizen revoked what was accepted or shared.
         *     - `VIEWED`: the partner got the profile with a QR value that the citizen made for sharing.
         * @enum {string}
         */
        AuthorizationState: "PENDING" | "ACCEPTED" | "DECLINED" | "EXPIRED" | "CANCELLED" | "REVOKED" | "VIEWED";
        /**
         * Check name
         * @description The name of a check:
         *
         *     - `request`: the request is readable, its size and type are allowed, and the response can be JSON.
         *     - `browser`: the request has no `Origin` header.
         *     - `credentials`: the credentials are a valid pair.
         *     - `suspension`: the partner is not suspended.
         *     - `address`: the address is on the partner's allow-list.
         *     - `fields`: the fields match the contract.
         *     - `rate`: the partner is within its limits.
         *     - `scope`: the scope is valid and granted to the partner.
         *     - `qr_value`, `exchange_code`, `access_token`: the value is valid.
         *     - `citizen_rate`: the citizen has not received too many requests.
         *     - `polling`: the last inquiry about the record is not too recent.
         *     - `record`: a record with this tracking number exists.
         *     - `result`: the profile of the record can still be read.
         *     - `state`: the state of the record allows the operation.
         *
         *     Only for OpenID Connect:
         *
         *     - `redirect_uri`: the redirect URI is registered.
         *     - `pkce`: the request has a `code_challenge`, and the `code_verifier` fits to it.
         *     - `proof`: the DPoP proof is valid.
         *     - `authorization_code`: the code is valid.
         *     - `consent`: the citizen approved the sign-in.
         *     - `assurance`: the citizen was authenticated as the purpose and the request need it.
         * @enum {string}
         */
        CheckName: "request" | "browser" | "credentials" | "suspension" | "address" | "fields" | "rate" | "scope" | "qr_value" | "citizen_rate" | "polling" | "record" | "result" | "state" | "exchange_code" | "access_token" | "redirect_uri" | "pkce" | "proof" | "authorization_code" | "consent" | "assurance";
        /**
         * Credential event
         * @description One of your secrets expires soon.
         */
        CredentialEvent: {
            /** @description The secret that expires. */
            data: {
                /**
                 * @description The kind of secret: `secret_token` or `partner_secret`.
                 * @enum {string}
                 */
                credential: "secret_token" | "partner_secret";
                /**
                 * Format: date-time
                 * @description When the secret expires.
                 */
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
         * @description Which check of a rejected request failed. Contains no citizen, no secret, no code, and nothing that belongs
         *     to another partner.
         */
        Diagnosis: {
            /**
             * @description The checks that the request passed, in the order in which they ran, then the one that failed, then those
             *     of the operation that were not reached.
             */
            checks: components["schemas"]["DiagnosisCheck"][];
            /** @description The `error` of the response: an `ErrorCode`, or an error of OAuth for a request of OpenID Connect. */
            error: string;
            /**
             * Format: date-time
             * @description When the request was rejected.
             */
            occurred_at: string;
            /**
             * @description The operationId. For OpenID Connect, the endpoint after `oidc/`: for example `oidc/authorization` or
             *     `oidc/token`. Null if the request was rejected before the service determined the operation.
             */
            operation: string | null;
            /** @description The id of the rejected request. */
            request_id: string;
            /** @description The HTTP status of the error response. For an error that a browser brought back to your redirect URI: 400. */
            status: number;
        };
        /**
         * Diagnosis check
         * @description One check of an operation and its outcome.
         */
        DiagnosisCheck: {
            check: components["schemas"]["CheckName"];
            /**
             * @description An explanation for people. Null if there is nothing to add. For a QR value, code or token, for example:
             *     `used 12 s ago`, `expired 41 s ago`, `contains white space at its end`, `issued to another partner`,
             *     `made for inquire; profile by QR needs a value made for share`, `used by another partner`. `unknown, or
             *     not usable` means that the value does not exist or that its citizen forbids its use.
             */
            detail: string | null;
            /**
             * @description The outcome of the check: `not_reached` if an earlier check failed.
             * @enum {string}
             */
            outcome: "passed" | "failed" | "not_reached";
        };
        /**
         * Ended authorization
         * @description A record that ended without a profile: declined, expired, canceled or revoked. `X-Authorization-State` says
         *     which. `accepted_at` is kept on a revoked record only.
         */
        EndedAuthorization: {
            /** @constant */
            is_accepted?: 0;
            pcn?: string;
            /** @constant */
            response?: null;
        } & components["schemas"]["Authorization"];
        /**
         * Error
         * @description The format of every error response of every operation. No message repeats a secret or a value that you sent.
         */
        Error: {
            error: components["schemas"]["ErrorCode"];
            /** @description For each wrong field, what is wrong with it. Present only if fields are wrong. */
            errors?: {
                [key: string]: string[];
            };
            /** @description What is wrong, for people. */
            message: string;
            /** @description The same value as the `X-Request-Id` header. */
            request_id: string;
            /** @description The HTTP status. */
            status: number;
        };
        /**
         * Error code
         * @description The stable code of an error. Your program decides by this code. `message` is for people and can change.
         * @enum {string}
         */
        ErrorCode: "malformed_request" | "credentials_invalid" | "credentials_missing" | "session_required" | "token_expired" | "token_invalid" | "token_missing" | "token_used" | "assurance_too_low" | "browser_use_forbidden" | "csrf_token_invalid" | "ip_not_allowed" | "partner_invalid" | "partner_suspended" | "role_not_granted" | "scope_not_granted" | "second_person_required" | "not_found" | "tracking_no_not_found" | "method_not_allowed" | "not_acceptable" | "approval_not_pending" | "authorization_not_pending" | "going_live_report_required" | "member_exists" | "partner_code_taken" | "refused_by_preferences" | "result_expired" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "exchange_code_invalid" | "idempotency_key_reused" | "qr_value_invalid" | "scope_invalid" | "validation_failed" | "quota_exceeded" | "rate_limited" | "slow_down" | "internal_error" | "unavailable";
        /**
         * Your registration
         * @description Your registration as a partner, in its current state.
         */
        PartnerSelf: {
            /** @description The URL that receives events. */
            callback_url: string | null;
            /**
             * @description The environment of this service: `sandbox` with synthetic citizens, or `live`.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description Your limits. `per_day` null means no quota. */
            limits: {
                /** @description Your daily quota. Null means no quota. */
                per_day: number | null;
                /** @description The requests per minute of `requestAuthorization`. */
                requests_per_minute: number;
                /** @description The requests per minute of `authenticate`. */
                sign_ins_per_minute: number;
                /** @description The requests per minute of `generateToken`. */
                tokens_per_minute: number;
                /** @description The requests per minute of `profileByQr`. */
                views_per_minute: number;
            };
            /** @description Your legal name. The citizen reads it. */
            name: string;
            /** @description Your partner code. */
            partner_code: string;
            /** @description What you may do. */
            scopes: components["schemas"]["Scope"][];
            /** @description For each kind of secret, when the newest valid secret expires. Null if no secret is valid. */
            secrets: {
                partner_secret: components["schemas"]["SecretExpiry"];
                secret_token: components["schemas"]["SecretExpiry"];
            };
            /** @description The URL that receives exchange codes from the citizen app. */
            sso_url: string | null;
            /**
             * @description Always `ACTIVE`: a suspended partner gets `partner_suspended`.
             * @constant
             */
            status: "ACTIVE";
        };
        /**
         * Passport
         * @description The citizen's passport. If the citizen has no passport, every field is an empty string.
         */
        Passport: {
            /** @description `MM/DD/YYYY`. */
            birth_date: string;
            /** @description `MM/DD/YYYY`. */
            expiry_date: string;
            /** @description The first name. */
            first_name: string;
            /** @description Mixed case, for example `Male`. */
            gender: string;
            /** @description The last name. */
            last_name: string;
            /** @description The middle name. */
            middle_name: string;
            /** @description The number of the passport. */
            passport_number: string;
            /** @description Where the passport was issued. */
            place_issued: string;
            /** @description The suffix, for example `Jr.` or `III`. */
            suffix: string;
        };
        /**
         * Pending authorization
         * @description A record that the citizen has not answered yet.
         */
        PendingAuthorization: {
            /** @constant */
            accepted_at?: null;
            /** @constant */
            callback_url?: null;
            /** @constant */
            is_accepted?: null;
            pcn?: string;
            /** @constant */
            response?: null;
            /** @constant */
            scope?: "PROFILE_INQUIRE";
        } & components["schemas"]["Authorization"];
        /**
         * Profile
         * @description A citizen's government profile in the format of the partner profile API.
         */
        Profile: {
            /** @description The full address in one line. */
            address: string;
            /** @description The second line of the address. */
            address_line_2: string;
            /** @description The name of the barangay. */
            barangay: string;
            /** @description Philippine Standard Geographic Code. */
            barangay_code: string;
            /** @description `YYYY-MM-DD`. A month or day that the registry does not know is `01`. */
            birth_date: string;
            /** @description The name of the country. */
            country: string;
            /** @description The number of the country in the registry. */
            country_id: number;
            /** @description The email address. */
            email: string;
            /** @description The first name. */
            first_name: string;
            /** @description The foreign address of a citizen who lives abroad, with its postal code. */
            foreign_address: string | null;
            /** @description Lower case, for example `male`. */
            gender: string;
            /** @description The last name. */
            last_name: string;
            /** @description The middle name. Null if there is none. */
            middle_name: string | null;
            /** @description International format with a leading `+`. Empty if it is not known. */
            mobile: string;
            /** @description The name of the city or municipality. */
            municipality: string;
            /** @description Philippine Standard Geographic Code. */
            municipality_code: string;
            /** @description The nationality. */
            nationality: string;
            /** @description URL of the photo. Empty if there is none. */
            photo: string;
            /** @description Always `null` in the partner profile API. Single sign-on returns it. */
            postal: string | null;
            /** @description The name of the province. */
            province: string;
            /** @description Philippine Standard Geographic Code. */
            province_code: string;
            /** @description The name of the region. */
            region: string;
            /** @description Philippine Standard Geographic Code. */
            region_code: string;
            /** @description The street and number. */
            street: string;
            /** @description For example `Jr.` or `III`. */
            suffix: string | null;
            /** @description The citizen's identifier. */
            uniqid: string;
        };
        /**
         * QR submission
         * @description The QR value that the citizen showed.
         */
        QrSubmission: {
            /** @description The QR value from the citizen app, as scanned. White space around it does not count, and case neither. */
            qr_value: string;
        };
        /**
         * Record page
         * @description One page of the partner's authorization records, newest first.
         */
        RecordPage: {
            /** @description Send it as `cursor` to get the next page. Null on the last page. */
            next_cursor: string | null;
            /** @description The records on this page. */
            records: components["schemas"]["RecordSummary"][];
        };
        /**
         * Record summary
         * @description The state and the times of one authorization record, without personal data.
         */
        RecordSummary: {
            /**
             * Format: date-time
             * @description When the citizen accepted. Null if the citizen did not.
             */
            accepted_at: string | null;
            /**
             * Format: date-time
             * @description When the record reached its present state. Null while it is pending.
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Until when the citizen could answer. Null for a profile-by-QR record, which needs no answer.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the partner asked. It decides the order of the list.
             */
            requested_at: string;
            /**
             * @description How the partner asked: `PROFILE_INQUIRE` by a request for authorization, `PROFILE_VIEW` by a QR value made
             *     for sharing.
             * @enum {string}
             */
            scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
            state: components["schemas"]["AuthorizationState"];
            tracking_no: components["schemas"]["TrackingNo"];
        };
        /**
         * Scope
         * @description What a partner may do, granted by the administrator:
         *
         *     - `PROFILE_INQUIRE`: request a citizen's profile, and read and cancel requests.
         *     - `PROFILE_VIEW`: get a profile that the citizen shares at once.
         *     - `SSO_AUTHENTICATION`: sign citizens in.
         * @enum {string}
         */
        Scope: "PROFILE_INQUIRE" | "PROFILE_VIEW" | "SSO_AUTHENTICATION";
        /**
         * Secret expiry
         * @description The end of the newest valid secret of one kind.
         */
        SecretExpiry: {
            /**
             * Format: date-time
             * @description When the secret expires. Null if no secret is valid.
             */
            expires_at: string | null;
        };
        /**
         * Sign-in event
         * @description A citizen signed in to your application with the SSO API. A sign-in by OpenID Connect has no event.
         */
        SignInEvent: {
            /** @description The sign-in, without personal data. */
            data: {
                /**
                 * @description Always `SSO_AUTHENTICATION`.
                 * @enum {string}
                 */
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
         * @description The profile of the signed-in citizen. It differs from the profile of the partner profile API in
         *     `birth_date`, `gender`, `postal` and `passport`.
         */
        SsoProfile: {
            /** @description The full address in one line. */
            address: string;
            /** @description The second line of the address. */
            address_line_2: string;
            /** @description The name of the barangay. */
            barangay: string;
            /** @description Philippine Standard Geographic Code. */
            barangay_code: string;
            /** @description `MM/DD/YYYY`. A month or day that the registry does not know is `01`. */
            birth_date: string;
            /** @description The name of the country. */
            country: string;
            /** @description The number of the country in the registry. */
            country_id: number;
            /** @description The email address. */
            email: string;
            /** @description The first name. */
            first_name: string;
            /** @description The foreign address of a citizen who lives abroad, with its postal code. */
            foreign_address: string | null;
            /** @description Upper case, for example `MALE`. */
            gender: string;
            /** @description The last name. */
            last_name: string;
            /** @description The middle name. Null if there is none. */
            middle_name: string | null;
            /** @description International format with a leading `+`. Empty if it is not known. */
            mobile: string;
            /** @description The name of the city or municipality. */
            municipality: string;
            /** @description Philippine Standard Geographic Code. */
            municipality_code: string;
            /** @description The nationality. */
            nationality: string;
            passport: components["schemas"]["Passport"];
            /** @description URL of the photo. Empty if there is none. */
            photo: string;
            /** @description The postal code as a number. `0` if the citizen has none, or a foreign one. */
            postal: number;
            /** @description The name of the province. */
            province: string;
            /** @description Philippine Standard Geographic Code. */
            province_code: string;
            /** @description The name of the region. */
            region: string;
            /** @description Philippine Standard Geographic Code. */
            region_code: string;
            /** @description The street and number. */
            street: string;
            /** @description For example `Jr.` or `III`. */
            suffix: string | null;
            /** @description The citizen's identifier. */
            uniqid: string;
        };
        /**
         * Token request
         * @description An exchange code and the credentials of the partner.
         */
        TokenRequest: {
            /**
             * @description The verifier of this sign-in (RFC 7636), if you passed a `code_challenge` to the citizen app. Leave it out otherwise.
             * @example dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
             */
            code_verifier?: string;
            /** @description The code that the citizen app passed to your application. It lives 60 seconds and works once. */
            exchange_code: string;
            /** @description Your partner code, issued by the administrator. */
            partner_code: string;
            /** @description Your partner secret, issued by the administrator. Keep it on your server: a request that carries it from a browser is rejected. */
            partner_secret: string;
            /** @description Always `SSO_AUTHENTICATION`. */
            scope: string;
        };
        /**
         * Tracking number
         * @description Identifies one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
        /**
         * Viewed authorization
         * @description A record of a QR value that the citizen made for sharing. `response` is the profile.
         */
        ViewedAuthorization: {
            /** @constant */
            accepted_at?: null;
            /** @constant */
            is_accepted?: null;
            /** @constant */
            pcn?: "-";
            response?: components["schemas"]["Profile"];
            /** @constant */
            scope?: "PROFILE_VIEW";
        } & components["schemas"]["Authorization"];
        /**
         * Test event
         * @description An event that tests whether events reach you.
         */
        WebhookTestEvent: {
            /** @description What every test event holds. It is not empty, because PHP writes an empty object as a list. */
            data: {
                /** @description Always true. */
                is_test: boolean;
            };
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
        /**
         * @description The access token is missing (`token_missing`), not valid (`token_invalid`), older than 300 seconds
         *     (`token_expired`), or already used (`token_used`).
         */
        AccessTokenRefused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "token_missing" | "token_invalid" | "token_expired" | "token_used";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description The state of the record does not allow this. Nothing was changed. */
        AuthorizationNotPending: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "authorization_not_pending";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /**
         * @description `X-Secret-Code` or `X-Secret-Token` is missing (`credentials_missing`), or they are not a valid pair
         *     (`credentials_invalid`).
         */
        CredentialsRefused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "credentials_missing" | "credentials_invalid";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /**
         * @description No rejected request of yours has this `request_id`. It is unknown, belongs to another partner, was not kept,
         *     or is more than 24 hours old.
         */
        DiagnosisNotFound: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The service failed. A single-use code or token is not consumed. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "internal_error";
                    /** @constant */
                    status?: 500;
                };
            };
        };
        /** @description The service failed. A single-use code or token is not consumed. */
        InternalErrorWithRateLimit: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "internal_error";
                    /** @constant */
                    status?: 500;
                };
            };
        };
        /**
         * @description The service cannot read the request: the body is unreadable, a credential header or a parameter was sent
         *     twice, or a file was sent in place of a text field.
         */
        MalformedRequest: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "malformed_request";
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description Every response is JSON, and the `Accept` header of the request excludes JSON. */
        NotAcceptable: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "not_acceptable";
                    /** @constant */
                    status?: 406;
                };
            };
        };
        /**
         * @description The credentials are valid, but the partner is suspended (`partner_suspended`) or may not send requests from
         *     this address (`ip_not_allowed`). Or the request comes from a browser (`browser_use_forbidden`).
         */
        OwnerRefused: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["AccessControlAllowOrigin"];
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /**
         * @description The credentials are valid, but the partner is suspended (`partner_suspended`), lacks the scope
         *     (`scope_not_granted`), or may not send requests from this address (`ip_not_allowed`). Or the request comes
         *     from a browser (`browser_use_forbidden`).
         */
        PartnerRefused: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["AccessControlAllowOrigin"];
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /**
         * @description The credentials are valid, but the partner is suspended (`partner_suspended`), lacks the scope
         *     (`scope_not_granted`), or may not send requests from this address (`ip_not_allowed`). Or the request comes
         *     from a browser (`browser_use_forbidden`).
         */
        PartnerRefusedWithRateLimit: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["AccessControlAllowOrigin"];
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The body is larger than 16 KiB, has too many fields, or has a field that is too long. */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "payload_too_large";
                    /** @constant */
                    status?: 413;
                };
            };
        };
        /**
         * @description You inquired about this record less than 2 seconds ago (`slow_down`). Or too many of your inquiries wait, or
         *     you read this profile too often (`rate_limited`).
         */
        PolledTooOften: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "slow_down" | "rate_limited";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /**
         * @description A field is missing or wrong (`validation_failed`), or the QR value is not valid (`qr_value_invalid`): it is
         *     unknown, used, expired, made for another purpose, or shown to another partner. All these cases get the same
         *     response.
         */
        QrValueRefused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "validation_failed" | "qr_value_invalid";
                    /** @constant */
                    status?: 422;
                };
            };
        };
        /** @description You sent more requests in the last minute than your limit. */
        RateLimitExceeded: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "rate_limited";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /**
         * @description You sent more requests in the last minute than your limit, or this citizen has too many pending requests
         *     (`rate_limited`). Or you reached your daily quota (`quota_exceeded`).
         */
        RateLimitOrQuotaExceeded: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "rate_limited" | "quota_exceeded";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description The profile is no longer available. It could be read for 3,600 seconds. Ask the citizen again. */
        ResultExpired: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "result_expired";
                    /** @constant */
                    status?: 410;
                };
            };
        };
        /**
         * @description `partner_code` or `partner_secret` is wrong (`partner_invalid`). Or the partner is suspended
         *     (`partner_suspended`), lacks the scope (`scope_not_granted`), or may not send requests from this address
         *     (`ip_not_allowed`). Or the request comes from a browser (`browser_use_forbidden`).
         */
        SsoPartnerRefused: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["AccessControlAllowOrigin"];
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_invalid" | "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /**
         * @description The partner that obtained the token is suspended (`partner_suspended`), lacks the scope
         *     (`scope_not_granted`), or may not send requests from this address (`ip_not_allowed`). The token is not
         *     consumed.
         */
        TokenPartnerRefused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "partner_suspended" | "scope_not_granted" | "ip_not_allowed";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /**
         * @description A field is missing or wrong (`validation_failed`), `scope` is not a scope of this operation
         *     (`scope_invalid`), or the exchange code is not valid (`exchange_code_invalid`): it is unknown, used,
         *     expired, or issued to another partner. All these cases of the code get the same response.
         */
        TokenRequestRefused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "validation_failed" | "scope_invalid" | "exchange_code_invalid";
                    /** @constant */
                    status?: 422;
                };
            };
        };
        /** @description Too many requests in a short time, for example with wrong credentials. `message` says more. */
        TooManyRequests: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "rate_limited";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /**
         * @description No record of yours has this tracking number. If the record belongs to another caller, the response is the
         *     same.
         */
        TrackingNoNotFound: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "tracking_no_not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The service cannot process the request now. Try again after `Retry-After` seconds. */
        Unavailable: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "unavailable";
                    /** @constant */
                    status?: 503;
                };
            };
        };
        /** @description The service cannot process the request now. Try again after `Retry-After` seconds. */
        UnavailableWithRateLimit: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                /**
                 * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
                 *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
                 *     refused before it is counted does not get this header.
                 * @example "120-in-1min"; r=7; t=42
                 */
                RateLimit?: string;
                /**
                 * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
                 *     `RateLimit`.
                 * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
                 */
                "RateLimit-Policy"?: string;
                "Retry-After": components["headers"]["RetryAfterError"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "unavailable";
                    /** @constant */
                    status?: 503;
                };
            };
        };
        /** @description The operation does not accept this `Content-Type`. */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    error?: "unsupported_media_type";
                    /** @constant */
                    status?: 415;
                };
            };
        };
        /** @description The service can read the request, but the request does not match the contract. `errors` names the fields. */
        ValidationFailed: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                Link: components["headers"]["Link"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
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
        /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
        Cursor: string;
        /** @description The maximum number of items on a page. */
        Limit: number;
        /**
         * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
         *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
         *     ignored, and a new trace begins. `tracestate` is ignored.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        Traceparent: string;
        /**
         * @description The tracking number of the record.
         * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
         */
        TrackingNoInPath: string;
        /**
         * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
         * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
         */
        WebhookId: string;
        /**
         * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
         *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
         *     valid signature is enough.
         * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
         */
        WebhookSignature: string;
        /**
         * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
         *     newer than your clock.
         * @example 1795161612
         */
        WebhookTimestamp: string;
        /**
         * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
         *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
         *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
         */
        WebhookTraceparent: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Present with `browser_use_forbidden`, so that the page that sent the request can read the error.
         * @example *
         */
        AccessControlAllowOrigin: "*";
        /**
         * @description When the pending request expires if the citizen does not answer (RFC 3339, UTC). Present while the record is
         *     pending.
         * @example 2026-11-20T08:05:00.000Z
         */
        AuthorizationExpiresAt: string;
        /**
         * @description The state of the record by name. The body distinguishes fewer states: `is_accepted` is `null` for pending or
         *     viewed, `1` for accepted, and `0` for ended without a profile.
         */
        AuthorizationState: components["schemas"]["AuthorizationState"];
        /**
         * @description No cache may store a response, since it may contain a citizen's data (RFC 9111, section 5.2.2.5).
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description The page that explains the error code and says what to do (RFC 8288, relation `help`).
         * @example <http://localhost:8080/errors/rate_limited>; rel="help"
         */
        Link: string;
        /**
         * @description The part of `Prefer` that the service honored (RFC 7240, section 3).
         * @example wait=25
         */
        PreferenceApplied: string;
        /**
         * @description What is left of your limit for this operation: `r` requests in the next `t` seconds
         *     (draft-ietf-httpapi-ratelimit-headers-08). Each process of the service counts for itself. A request that is
         *     refused before it is counted does not get this header.
         * @example "120-in-1min"; r=7; t=42
         */
        RateLimit: string;
        /**
         * @description Your limit for this operation: `q` requests in `w` seconds. `pk` identifies the counter. Sent together with
         *     `RateLimit`.
         * @example "120-in-1min"; q=120; w=60; pk=:N2ViM2UwNWFlZTcx:
         */
        RateLimitPolicy: string;
        /**
         * @description Identifies this request. Quote it when you ask the administrator about a response.
         * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
         */
        RequestId: string;
        /**
         * @description Seconds to wait before you inquire again (RFC 9110, section 10.2.3). Present while the record is pending.
         *     With `Prefer: wait`, less by the time that this request has waited, so usually `0`.
         * @example 2
         */
        RetryAfter: number;
        /**
         * @description Seconds to wait before you send the request again (RFC 9110, section 10.2.3).
         * @example 2
         */
        RetryAfterError: number;
        /**
         * @description The IANA time zone of `accepted_at`.
         * @example Asia/Manila
         */
        TimeZone: string;
        /**
         * @description The trace of this request (W3C Trace Context) with the id of the service's own span. The trace is that of
         *     the `traceparent` that you sent, or a new one. The administrator finds the request in the log of the service
         *     by the trace id, which is the second part.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
         */
        Traceparent: string;
        /**
         * @description The challenge of a `401` (RFC 9110, section 11.6.1). With `Bearer` (RFC 6750, section 3) the operation needs a
         *     token. With `SecretHeaders names="X-Secret-Code X-Secret-Token"` it needs these two headers. That scheme is
         *     our own, so that no HTTP library answers it by itself. Your program decides by `error`.
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
export type RecordPage = components['schemas']['RecordPage'];
export type RecordSummary = components['schemas']['RecordSummary'];
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
export type ResponseInternalErrorWithRateLimit = components['responses']['InternalErrorWithRateLimit'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseOwnerRefused = components['responses']['OwnerRefused'];
export type ResponsePartnerRefused = components['responses']['PartnerRefused'];
export type ResponsePartnerRefusedWithRateLimit = components['responses']['PartnerRefusedWithRateLimit'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePolledTooOften = components['responses']['PolledTooOften'];
export type ResponseQrValueRefused = components['responses']['QrValueRefused'];
export type ResponseRateLimitExceeded = components['responses']['RateLimitExceeded'];
export type ResponseRateLimitOrQuotaExceeded = components['responses']['RateLimitOrQuotaExceeded'];
export type ResponseResultExpired = components['responses']['ResultExpired'];
export type ResponseSsoPartnerRefused = components['responses']['SsoPartnerRefused'];
export type ResponseTokenPartnerRefused = components['responses']['TokenPartnerRefused'];
export type ResponseTokenRequestRefused = components['responses']['TokenRequestRefused'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnavailableWithRateLimit = components['responses']['UnavailableWithRateLimit'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterTraceparent = components['parameters']['Traceparent'];
export type ParameterTrackingNoInPath = components['parameters']['TrackingNoInPath'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type ParameterWebhookTraceparent = components['parameters']['WebhookTraceparent'];
export type HeaderAccessControlAllowOrigin = components['headers']['AccessControlAllowOrigin'];
export type HeaderAuthorizationExpiresAt = components['headers']['AuthorizationExpiresAt'];
export type HeaderAuthorizationState = components['headers']['AuthorizationState'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderLink = components['headers']['Link'];
export type HeaderPreferenceApplied = components['headers']['PreferenceApplied'];
export type HeaderRateLimit = components['headers']['RateLimit'];
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderRetryAfterError = components['headers']['RetryAfterError'];
export type HeaderTimeZone = components['headers']['TimeZone'];
export type HeaderTraceparent = components['headers']['Traceparent'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    authenticate: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile of the signed-in citizen. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    traceparent: components["headers"]["Traceparent"];
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
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalErrorWithRateLimit"];
            503: components["responses"]["UnavailableWithRateLimit"];
        };
    };
    listRecords: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only records in this state.
                 * @example PENDING
                 */
                state?: components["schemas"]["AuthorizationState"];
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RecordPage"];
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
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path: {
                /**
                 * @description The tracking number of the record.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["TrackingNoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled record. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path: {
                /**
                 * @description The `request_id` (or `X-Request-Id`) of the error response.
                 * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checks of the operation, in the order in which the service makes them. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
                 * @description The tracking number from `requestAuthorization` or `profileByQr`.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: string;
            };
            header?: {
                /**
                 * @description `wait=` followed by the number of seconds that the request may wait while the record is pending, at
                 *     most 25 (RFC 7240, section 4.3). The service may respond sooner. It ignores other preferences.
                 * @example wait=25
                 */
                Prefer?: string;
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record in its current state. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Authorization-Expires-At": components["headers"]["AuthorizationExpiresAt"];
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record in its present state. */
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
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your current registration. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
                 * @description The QR value from the citizen app, as scanned. White space around it does not count, and case neither.
                 * @example TWQ17K2M9QXV4T0HB3ZJ6WFE8RC5NDYGPS1A
                 */
                qr_value: string;
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record with the profile. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    traceparent: components["headers"]["Traceparent"];
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
            403: components["responses"]["PartnerRefusedWithRateLimit"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["QrValueRefused"];
            429: components["responses"]["RateLimitOrQuotaExceeded"];
            500: components["responses"]["InternalErrorWithRateLimit"];
            503: components["responses"]["UnavailableWithRateLimit"];
        };
    };
    requestAuthorization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
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
            /** @description The pending record. On a retry, the record in its current state. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Authorization-Expires-At": components["headers"]["AuthorizationExpiresAt"];
                    "X-Authorization-State": components["headers"]["AuthorizationState"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "X-Time-Zone": components["headers"]["TimeZone"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The record in its present state. */
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
            403: components["responses"]["PartnerRefusedWithRateLimit"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["QrValueRefused"];
            429: components["responses"]["RateLimitOrQuotaExceeded"];
            500: components["responses"]["InternalErrorWithRateLimit"];
            503: components["responses"]["UnavailableWithRateLimit"];
        };
    };
    generateToken: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
            };
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
            /** @description The access token. This response has no `status`, `message` and `data`. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "twa_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description An encrypted string that only the service can read. Send it exactly as you received it. It
                         *     works once, expires after 300 seconds, and is no longer valid when the `partner_secret` that
                         *     obtained it ends.
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
            429: components["responses"]["RateLimitOrQuotaExceeded"];
            500: components["responses"]["InternalErrorWithRateLimit"];
            503: components["responses"]["UnavailableWithRateLimit"];
        };
    };
    onAuthorizationAccepted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
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
                 * @description The trace of the request that caused the event (W3C Trace Context), the same on every attempt. Absent if
                 *     that request had no `traceparent`, or if no request caused the event. Another party may have started the
                 *     trace, and the signature does not cover this header: decide by your own rules whether to record it.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01
                 */
                traceparent?: components["parameters"]["WebhookTraceparent"];
                /**
                 * @description Identifies the event. It is the same on every attempt, so that you can detect duplicates.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id.webhook-timestamp.body`, with your webhook secret
                 *     as the key. During a rotation of the secret, the header holds two signatures, separated by a space. One
                 *     valid signature is enough.
                 * @example v1,wvEnI2lj2MqHLD8EXRu4CoBIl9SpgLK0rMa+M1VvKjs=
                 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /**
                 * @description The time of this attempt, in seconds since 1970 (UTC). Reject an event that is more than 5 minutes older or
                 *     newer than your clock.
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
                 *       "data": {
                 *         "is_test": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received. Respond at once and process the event afterwards. The body is not read. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Stop all events to you. A developer of yours, in the workbench, or the administrator can turn them on again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
