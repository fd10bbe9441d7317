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
         * List authorizations
         * @description List the citizen's authorizations, newest first, one page at a time.
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
         * @description Read what the consent screen shows of one authorization.
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
         * Accept a request
         * @description Accept a pending request: the partner gets the profile as it is now. Accepting again changes nothing and
         *     is not an error.
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
         * Decline a request
         * @description Decline a pending request: the partner gets nothing. Declining again changes nothing and is not an error.
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
         * Revoke an authorization
         * @description Revoke what was accepted or shared: from now on the partner can no longer read the profile from the
         *     service. The partner keeps what it has already read.
         *
         *     Revoking again changes nothing and is not an error. A record that was neither accepted nor shared cannot be
         *     revoked: the response is `409`.
         */
        post: operations["revokeAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disclosures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disclosures
         * @description List every disclosure: each time that a partner got the citizen's data. Newest first, one page at a time. The reads of
         *     userinfo that belong to a sign-in by OpenID Connect are no lines of their own.
         */
        get: operations["listDisclosures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disclosures/{disclosure_id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dispute a disclosure
         * @description Record that the citizen does not recognize this disclosure ("this was not me"). The administrator sees the
         *     dispute and investigates it.
         *
         *     A dispute withdraws nothing. To withdraw data, revoke the authorization, block the partner or freeze
         *     everything. Disputing again changes nothing and is not an error.
         */
        post: operations["disputeDisclosure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disclosures/{disclosure_id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prove that the audit contains a disclosure
         * @description Get the audit entry of a disclosure with its proof. The response contains everything that is needed to
         *     check, without trusting the service, that the audit contains the entry and that the entry has not changed
         *     since.
         *
         *     The proof exists about a second after the disclosure. Until then the response is `503`.
         */
        get: operations["readDisclosureProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream events
         * @description Receive server-sent events when a request arrives or a record changes. Each event has a `CitizenEvent` as
         *     JSON in `data`, its type in `event` and a position in `id`. An event says that a record changed, but holds
         *     only its number and state: read the authorization for the consent screen.
         *
         *     If you send `Last-Event-ID`, the stream starts with the changes after that event. An event can arrive
         *     twice, but is never left out. Comments (`:`) keep the connection open. The server ends a stream after some
         *     time, and `retry` says when to connect again.
         *
         *     A citizen can have 5 open streams in each process of the service. Beyond that, the response is
         *     `429 rate_limited` with `Retry-After`.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
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
         * @description Issue an exchange code with which this partner, and no other, can sign the citizen in. It lives 60 seconds
         *     and works once.
         *
         *     When the sign-in began in the partner's application, pass the `state` that the application gave to the
         *     citizen app: it comes back in `redirect_url`. The partner compares it, and so refuses a sign-in that it
         *     did not begin. Pass its `code_challenge`, too, if it gave one: no other session can then use the code. Then
         *     open `redirect_url` in the browser.
         */
        post: operations["issueExchangeCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the preferences
         * @description Read whether the citizen has frozen everything, and which partners the citizen has blocked.
         */
        get: operations["readPreferences"];
        /**
         * Replace the preferences
         * @description Freeze everything, or block partners. From the moment of the response, the service discloses nothing that
         *     the preferences forbid, not even what the citizen accepted before. When the citizen lifts a preference,
         *     everything that has not expired in the meantime works again.
         *
         *     The partners concerned get the same responses as if the QR value, exchange code, token or profile were no
         *     longer valid.
         *
         *     If a partner code is unknown, the response is `422`.
         */
        put: operations["replacePreferences"];
        post?: never;
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
         * @description Issue a new QR value for the purpose that the citizen chose. It lives 60 seconds and works once.
         *
         *     The partner that presents the value first gets the answer, also if it saw the screen of the citizen from
         *     afar. With `partner_code`, no other partner can use the value. Send it whenever the app knows the partner,
         *     for example from a poster or a link of the partner.
         */
        post: operations["issueQrCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a sign-in request
         * @description Open the request of a browser that wants to sign the citizen in by OpenID Connect. Send the text of the QR code
         *     that its screen shows. The picture changes every second, and its text is accepted for a few seconds only, so a
         *     photo of the screen is worth nothing. If the browser is on the same device, it opens the app by a link: send its parameter
         *     `code`.
         *
         *     The first citizen who opens a request is the only one who can read, approve or decline it.
         *
         *     Show the partner, the purpose, each item of data, and `comparison`, which the browser shows too. If `device` is
         *     `other`, ask the citizen whether that screen is in front of them.
         */
        post: operations["openSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ins/{sign_in_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sign-in request
         * @description Read a request that this citizen has opened, with its present state.
         */
        get: operations["readSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ins/{sign_in_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a sign-in request
         * @description Sign the citizen in, and share the items with the partner. `items` names what the citizen agreed to: all items
         *     that are required, and none that the request does not have.
         *
         *     If `return_url` is not null, open it in the browser that had opened the app: the sign-in goes on in no other
         *     browser. Otherwise the browser goes on by itself.
         *
         *     The token that authenticates the citizen must be as strong as `minimum_acr` and as recent as the partner asks.
         *     Otherwise the response is `403 assurance_too_low`: authenticate the citizen again, and repeat the request with
         *     the new token. Approving again changes nothing and is not an error.
         */
        post: operations["approveSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-ins/{sign_in_id}/decline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decline a sign-in request
         * @description Decline a request: the partner learns that it was declined, and gets nothing. Declining again changes nothing and
         *     is not an error.
         */
        post: operations["declineSignIn"];
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
         * Audit checkpoint
         * @description A signed checkpoint of the audit. It seals the audit events from `first_position` to `last_position`: it
         *     contains the root of their tree (RFC 6962, SHA-256) and is chained to the previous checkpoint. All other
         *     fields are read from `signed`, the text that was signed. Hashes and signatures are base64url.
         */
        AuditCheckpoint: {
            /** @description The number of the checkpoint, counted from 1 without a gap. */
            checkpoint: number;
            /** @description The position of its first event among all events that were ever sealed. */
            first_position: number;
            /** @description The id of the key that signed. */
            kid: string;
            /** @description The position of its last event. */
            last_position: number;
            /**
             * Format: date-time
             * @description The time of the newest event up to this checkpoint.
             */
            latest_event_at: string;
            /** @description SHA-256 of `signed` of the previous checkpoint. Null for the first. */
            previous_hash: string | null;
            /** @description The root of the tree. */
            root: string;
            /**
             * Format: date-time
             * @description When the checkpoint was sealed.
             */
            sealed_at: string;
            /** @description The Ed25519 signature over the bytes of `signed`. */
            signature: string;
            /** @description The text that was signed. */
            signed: string;
        };
        /**
         * Audit key
         * @description A public key that signs checkpoints, as a JWK (RFC 8037).
         */
        AuditKey: {
            /** @constant */
            alg: "EdDSA";
            /** @constant */
            crv: "Ed25519";
            /** @description The id of the key. */
            kid: string;
            /** @constant */
            kty: "OKP";
            /** @constant */
            use: "sig";
            /** @description The public key itself (base64url). */
            x: string;
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
         * Citizen event
         * @description The `data` of a server-sent event: one of the citizen's authorizations changed.
         */
        CitizenEvent: {
            /** @description The record that changed. */
            data: {
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
            type: "authorization.requested" | "authorization.accepted" | "authorization.declined" | "authorization.expired" | "authorization.cancelled" | "authorization.revoked" | "profile.viewed";
        };
        /**
         * Consent request
         * @description The content of the consent screen for one authorization.
         */
        ConsentRequest: {
            /** @description Whole seconds since the request. */
            age_seconds: number;
            /**
             * Format: date-time
             * @description When the citizen answered. Null if the citizen did not answer.
             */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description When the pending request expires. Null after the request has ended.
             */
            expires_at: string | null;
            partner: components["schemas"]["PartnerName"];
            /**
             * Format: date-time
             * @description When the partner requested authorization.
             */
            requested_at: string;
            /** @description The profile fields that the citizen shares by accepting, or has shared. */
            shares: string[];
            state: components["schemas"]["AuthorizationState"];
            tracking_no: components["schemas"]["TrackingNo"];
            /**
             * @description The last four characters of the tracking number. The citizen compares them with the screen of the
             *     partner.
             */
            tracking_no_last4: string;
        };
        /**
         * Disclosure
         * @description One disclosure of the citizen's data to a partner.
         */
        Disclosure: {
            /**
             * Format: date-time
             * @description When the partner got the data.
             */
            disclosed_at: string;
            /**
             * Format: date-time
             * @description When the citizen disputed the disclosure ("this was not me"). Null if it is not disputed.
             */
            disputed_at: string | null;
            /** @description The fields that the partner got. */
            fields: string[];
            /** @description The id of the partner's request. The administrator finds the disclosure by this id. */
            id: string;
            partner: components["schemas"]["PartnerName"];
            /** @description The tracking number of the authorization. Null for a sign-in. */
            tracking_no: components["schemas"]["TrackingNo"] | null;
            /**
             * @description How the partner got the data. `INQUIRE`: it read a record that the citizen had accepted or shared. `QR`:
             *     it used a QR value made for sharing. `SSO`: the citizen signed in.
             * @enum {string}
             */
            way: "INQUIRE" | "QR" | "SSO";
        };
        /**
         * Disclosure proof
         * @description The proof that a disclosure is in the sealed audit. You can check it with nothing else. The hash of the leaf
         *     is SHA-256 of a byte 0 followed by the bytes of `leaf`. Together with `path` it leads to the `root` of the
         *     checkpoint (RFC 9162, section 2.1.3.2). Verify the signature over `signed` with `key`.
         */
        DisclosureProof: {
            checkpoint: components["schemas"]["AuditCheckpoint"];
            /** @description The id of the disclosure. */
            disclosure_id: string;
            key: components["schemas"]["AuditKey"];
            /**
             * @description The sealed text, as JSON: `kind`, `occurred_at`, `partner_code`, `request_id` (the id of the
             *     disclosure), `tracking_no`, `actor`, `detail`, and `ids_hash`, which stands for ids that are not shown.
             */
            leaf: string;
            /** @description The hashes on the way from the leaf to the root (base64url), beginning next to the leaf. */
            path: string[];
            /** @description The position in the tree, counted from 0. The tree has `last_position` - `first_position` + 1 leaves. */
            position: number;
        };
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
         * Exchange code
         * @description A single-use code with which one partner can sign the citizen in.
         */
        ExchangeCode: {
            /** @description The code to pass to the partner's application. It works once, for this partner only. */
            exchange_code: string;
            /**
             * Format: date-time
             * @description When the code expires, 60 seconds after it was issued.
             */
            expires_at: string;
            /**
             * @description The partner's registered SSO URL with the code in the parameter `exchange_code`, and the `state` of the
             *     request in the parameter `state`. Null if the partner has registered none.
             */
            redirect_url: string | null;
        };
        /**
         * Partner code
         * @description Identifies the partner. Chosen by the administrator.
         */
        PartnerCode: string;
        /**
         * Partner as the citizen sees it
         * @description The partner, as the citizen app shows it.
         */
        PartnerName: {
            /** @description The partner's legal name. */
            name: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description Why the partner asks, in words that the administrator approved. */
            purpose: string;
        };
        /**
         * Preferences
         * @description What the citizen forbids.
         */
        Preferences: {
            /**
             * @description The partners that get no data. A request can name at most 400. After the service has restored a backup, there can
             *     be more: those of the backup and those that were blocked since.
             */
            blocked_partners: components["schemas"]["PartnerCode"][];
            /**
             * @description If true, no partner gets any data: the service issues no QR codes and no exchange codes, and the citizen
             *     cannot accept requests.
             */
            frozen: boolean;
        };
        /**
         * QR code
         * @description A single-use QR value.
         */
        QrCode: {
            /**
             * Format: date-time
             * @description When the value expires, 60 seconds after it was issued.
             */
            expires_at: string;
            /** @description The value to show as a QR code (alphanumeric mode). It works once. */
            qr_value: string;
            /**
             * Format: date-time
             * @description When the app should show a new value, after half of the lifetime.
             */
            refresh_at: string;
        };
        /**
         * QR purpose
         * @description The purpose that the citizen chose when showing the code: `inquire` (ask me first) or `share` (take my
         *     profile).
         * @enum {string}
         */
        QrPurpose: "inquire" | "share";
        /**
         * Sign-in item
         * @description One item of data that a partner can get when it signs a citizen in. It is the name of the claim in the ID token and
         *     in the response of userinfo. OpenID Connect defines all but `suffix`, `nationality`, `passport` and `uniqid`.
         *
         *     The scope `profile` asks for `name`, `given_name`, `middle_name`, `family_name`, `suffix`, `gender`, `birthdate`
         *     and `picture`; `email` for `email`; `phone` for `phone_number`; `address`, `nationality`, `passport` and `uniqid`
         *     each for the item of that name.
         * @enum {string}
         */
        SignInItem: "name" | "given_name" | "middle_name" | "family_name" | "suffix" | "gender" | "birthdate" | "picture" | "email" | "phone_number" | "address" | "nationality" | "passport" | "uniqid";
        /**
         * Sign-in request
         * @description The content of the consent screen for one sign-in by OpenID Connect.
         */
        SignInRequest: {
            /**
             * Format: date-time
             * @description When the citizen answered. Null if the citizen did not answer.
             */
            answered_at: string | null;
            /** @description Two characters that the browser shows too. The citizen compares them. */
            comparison: string;
            /**
             * @description Whether the browser opened the app on this device (`same`), or shows a QR code (`other`).
             * @enum {string}
             */
            device: "same" | "other";
            /**
             * Format: date-time
             * @description When the request expires.
             */
            expires_at: string;
            /** @description The items that the partner asks for and may get for this purpose. */
            items: {
                /** @description Whether the citizen cannot leave the item out. */
                is_required: boolean;
                item: components["schemas"]["SignInItem"];
            }[];
            /** @description The least assurance that the citizen's token must have. Null if any is enough. */
            minimum_acr: string | null;
            partner: components["schemas"]["PartnerName"];
            /**
             * Format: date-time
             * @description When the browser began.
             */
            requested_at: string;
            /**
             * @description The address to open in the browser after an approval on the same device, within the time of the request. Null
             *     otherwise.
             */
            return_url: string | null;
            /** @description The id of the request. */
            sign_in_id: string;
            /**
             * @description `PENDING`: the citizen can answer. `CANCELLED`: the citizen ended it in the browser.
             * @enum {string}
             */
            state: "PENDING" | "APPROVED" | "DECLINED" | "EXPIRED" | "CANCELLED";
        };
        /**
         * Tracking number
         * @description Identifies one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
    };
    responses: {
        /**
         * @description The state of the record does not allow this (`authorization_not_pending`), or the citizen's preferences
         *     forbid it (`refused_by_preferences`). Nothing was changed.
         */
        AcceptanceRefused: {
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
                    error?: "authorization_not_pending" | "refused_by_preferences";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /** @description The token of the citizen is too weak or too old for this sign-in. Nothing was changed. */
        AssuranceTooLow: {
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
                    error?: "assurance_too_low";
                    /** @constant */
                    status?: 403;
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
        /** @description The identity provider's token is missing, expired, or not valid for this service. */
        IdentityTokenRefused: {
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
                    error?: "token_missing" | "token_invalid" | "token_expired";
                    /** @constant */
                    status?: 401;
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
        /** @description Not found: what the path or the body of the request names does not exist. */
        NotFound: {
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
        /** @description `If-Match` has no `ETag` of what the service has stored. Nothing was changed. */
        PreconditionFailed: {
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
                    error?: "precondition_failed";
                    /** @constant */
                    status?: 412;
                };
            };
        };
        /** @description The citizen's own preferences forbid this: the citizen froze everything or blocked this partner. */
        RefusedByPreferences: {
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
                    error?: "refused_by_preferences";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /** @description The request. */
        ShownSignIn: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "sign_in_id": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                 *       "state": "PENDING",
                 *       "partner": {
                 *         "partner_code": "HOTEL_MABUHAY",
                 *         "name": "Mabuhay Hotels Incorporated",
                 *         "purpose": "To register you as a guest, as the law asks of hotels."
                 *       },
                 *       "items": [
                 *         {
                 *           "item": "given_name",
                 *           "is_required": true
                 *         },
                 *         {
                 *           "item": "email",
                 *           "is_required": false
                 *         }
                 *       ],
                 *       "device": "other",
                 *       "comparison": "K7",
                 *       "minimum_acr": null,
                 *       "requested_at": "2026-11-20T08:00:00.000Z",
                 *       "expires_at": "2026-11-20T08:05:00.000Z",
                 *       "answered_at": null,
                 *       "return_url": null
                 *     }
                 */
                "application/json": components["schemas"]["SignInRequest"];
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
        /**
         * @description The tracking number of a record that the citizen accepted or shared.
         * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
         */
        AcceptedTrackingNo: string;
        /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
        Cursor: string;
        /**
         * @description The `ETag` that you read, or several of them, or `*` (RFC 9110, section 13.1.1). If it has changed since, nothing is
         *     changed, and the response is `412 precondition_failed`. Without this header, the last of two changes counts.
         * @example "6d1f4c0b8a7e2953d0c4b1a698f37e52"
         */
        IfMatch: string;
        /** @description The maximum number of items on a page. */
        Limit: number;
        /**
         * @description The id of the sign-in request.
         * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
         */
        SignInId: string;
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
    };
    requestBodies: never;
    headers: {
        /**
         * @description No cache may store a response, since it may contain a citizen's data (RFC 9111, section 5.2.2.5).
         * @example no-store
         */
        CacheControl: "no-store";
        /**
         * @description Identifies what the service has stored (RFC 9110, section 8.8.3). It changes with every change of it. Send it as
         *     `If-Match` to change only what you have read.
         * @example "6d1f4c0b8a7e2953d0c4b1a698f37e52"
         */
        ETag: string;
        /**
         * @description The page that explains the error code and says what to do (RFC 8288, relation `help`).
         * @example <http://localhost:8080/errors/rate_limited>; rel="help"
         */
        Link: string;
        /**
         * @description Identifies this request. Quote it when you ask the administrator about a response.
         * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
         */
        RequestId: string;
        /**
         * @description Seconds to wait before you send the request again (RFC 9110, section 10.2.3).
         * @example 2
         */
        RetryAfterError: number;
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
        /**
         * @description Tells a reverse proxy to pass each event on at once.
         * @example no
         */
        XAccelBuffering: "no";
    };
    pathItems: never;
}
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditKey = components['schemas']['AuditKey'];
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type CitizenEvent = components['schemas']['CitizenEvent'];
export type ConsentRequest = components['schemas']['ConsentRequest'];
export type Disclosure = components['schemas']['Disclosure'];
export type DisclosureProof = components['schemas']['DisclosureProof'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ExchangeCode = components['schemas']['ExchangeCode'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type PartnerName = components['schemas']['PartnerName'];
export type Preferences = components['schemas']['Preferences'];
export type QrCode = components['schemas']['QrCode'];
export type QrPurpose = components['schemas']['QrPurpose'];
export type SignInItem = components['schemas']['SignInItem'];
export type SignInRequest = components['schemas']['SignInRequest'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type ResponseAcceptanceRefused = components['responses']['AcceptanceRefused'];
export type ResponseAssuranceTooLow = components['responses']['AssuranceTooLow'];
export type ResponseAuthorizationNotPending = components['responses']['AuthorizationNotPending'];
export type ResponseIdentityTokenRefused = components['responses']['IdentityTokenRefused'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseRefusedByPreferences = components['responses']['RefusedByPreferences'];
export type ResponseShownSignIn = components['responses']['ShownSignIn'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterAcceptedTrackingNo = components['parameters']['AcceptedTrackingNo'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterSignInId = components['parameters']['SignInId'];
export type ParameterTraceparent = components['parameters']['Traceparent'];
export type ParameterTrackingNoInPath = components['parameters']['TrackingNoInPath'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLink = components['headers']['Link'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfterError = components['headers']['RetryAfterError'];
export type HeaderTraceparent = components['headers']['Traceparent'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderXAccelBuffering = components['headers']['XAccelBuffering'];
export type $defs = Record<string, never>;
export interface operations {
    listAuthorizations: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only authorizations in this state.
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
                        /** @description The authorizations on this page. */
                        authorizations: components["schemas"]["ConsentRequest"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
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
            /** @description The authorization. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
            /** @description The accepted authorization. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
            409: components["responses"]["AcceptanceRefused"];
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
            /** @description The declined authorization. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
                 * @description The tracking number of a record that the citizen accepted or shared.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: components["parameters"]["AcceptedTrackingNo"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked authorization. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
    listDisclosures: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
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
                    /**
                     * @example {
                     *       "disclosures": [
                     *         {
                     *           "id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "disclosed_at": "2026-11-20T08:00:14.000Z",
                     *           "way": "INQUIRE",
                     *           "partner": {
                     *             "partner_code": "HOTEL_MABUHAY",
                     *             "name": "Mabuhay Hotels Incorporated",
                     *             "purpose": "To register you as a guest, as the law asks of hotels."
                     *           },
                     *           "fields": [
                     *             "first_name",
                     *             "last_name",
                     *             "birth_date"
                     *           ],
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "disputed_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The disclosures on this page. */
                        disclosures: components["schemas"]["Disclosure"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
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
    disputeDisclosure: {
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
                 * @description The `id` of the disclosure.
                 * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                disclosure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The disputed disclosure. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "disclosed_at": "2026-11-20T08:00:14.000Z",
                     *       "way": "SSO",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "fields": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date",
                     *         "passport"
                     *       ],
                     *       "tracking_no": null,
                     *       "disputed_at": "2026-11-20T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Disclosure"];
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
    readDisclosureProof: {
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
                 * @description The `id` of the disclosure.
                 * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                disclosure_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proof. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "disclosure_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "leaf": "{\"actor\":null,\"detail\":null,\"ids_hash\":\"G1YYj73GWohZI4hsi3JxMyFJBQWJ2RgDNkUhCAzQeS0\",\"kind\":\"sso.authenticated\",\"occurred_at\":\"2026-11-20T08:00:14.123456Z\",\"partner_code\":\"HOTEL_MABUHAY\",\"request_id\":\"req_5Hb2pYJ7Qn0sVtXw8RkZc1\",\"tracking_no\":null}",
                     *       "position": 0,
                     *       "path": [
                     *         "ZcdMFaaGGHu2u_mVj0lPxrgAaANKZZqa1EmRsIxY8tI"
                     *       ],
                     *       "checkpoint": {
                     *         "checkpoint": 41,
                     *         "first_position": 97,
                     *         "last_position": 98,
                     *         "root": "Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY",
                     *         "previous_hash": "FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA",
                     *         "latest_event_at": "2026-11-20T08:00:14.987654Z",
                     *         "sealed_at": "2026-11-20T08:00:15.204Z",
                     *         "kid": "1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f",
                     *         "signed": "{\"checkpoint\":41,\"first_position\":97,\"kid\":\"1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f\",\"last_position\":98,\"latest_event_at\":\"2026-11-20T08:00:14.987654Z\",\"previous_hash\":\"FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA\",\"root\":\"Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY\",\"sealed_at\":\"2026-11-20T08:00:15.204Z\"}",
                     *         "signature": "a4N6N6XIURAUJRLx_K12gvHZ5YK9TzlPorn3WfG-n7ZnWAi-bkMT72idQMX-44ouOIxbVOqi_IB0ktCEbZR3Bg"
                     *       },
                     *       "key": {
                     *         "kty": "OKP",
                     *         "crv": "Ed25519",
                     *         "alg": "EdDSA",
                     *         "use": "sig",
                     *         "kid": "1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f",
                     *         "x": "ZbB2E7c0nR-VbT97WZngsSu9Y1C28k24l9p-lVxUOSg"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DisclosureProof"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` of the last event that you received. */
                "Last-Event-ID"?: string;
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
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Accel-Buffering": components["headers"]["XAccelBuffering"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 2000
                     *
                     *     id: 1795161600000
                     *     event: authorization.requested
                     *     data: {"type":"authorization.requested","timestamp":"2026-11-20T08:00:00.000Z","data":{"tracking_no":"7M3K9QXV4T0HB2ZJ6WFE8RC5ND","state":"PENDING"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    issueExchangeCode: {
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
                 *       "partner_code": "HOTEL_MABUHAY",
                 *       "state": "4f0c1b7e9a2d4c5f8e6b3a1d7c9e0f2b",
                 *       "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The challenge of the partner's application, unchanged: base64url of the SHA-256 of its
                     *     `code_verifier` (RFC 7636, `S256`; there is no other method). `generateToken` then needs the
                     *     verifier.
                     */
                    code_challenge?: string;
                    partner_code: components["schemas"]["PartnerCode"];
                    /**
                     * @description The random value that the partner's application chose for this sign-in, unchanged: printable
                     *     ASCII (RFC 6749, appendix A.5). The service does not store it. Leave it out if the sign-in began in the citizen app.
                     */
                    state?: string;
                };
            };
        };
        responses: {
            /** @description The exchange code. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exchange_code": "twx_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *       "expires_at": "2026-11-20T08:01:00.000Z",
                     *       "redirect_url": "https://partner.example/signed-in?exchange_code=twx_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm&state=4f0c1b7e9a2d4c5f8e6b3a1d7c9e0f2b"
                     *     }
                     */
                    "application/json": components["schemas"]["ExchangeCode"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["RefusedByPreferences"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readPreferences: {
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
            /** @description The preferences. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "frozen": false,
                     *       "blocked_partners": [
                     *         "HOTEL_MABUHAY"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replacePreferences: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you read, or several of them, or `*` (RFC 9110, section 13.1.1). If it has changed since, nothing is
                 *     changed, and the response is `412 precondition_failed`. Without this header, the last of two changes counts.
                 * @example "6d1f4c0b8a7e2953d0c4b1a698f37e52"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
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
                 *       "frozen": false,
                 *       "blocked_partners": [
                 *         "HOTEL_MABUHAY"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Preferences"] & {
                    blocked_partners?: components["schemas"]["PartnerCode"][];
                };
            };
        };
        responses: {
            /** @description The current preferences. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "frozen": false,
                     *       "blocked_partners": [
                     *         "HOTEL_MABUHAY"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Preferences"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            412: components["responses"]["PreconditionFailed"];
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
                 *       "purpose": "inquire"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The only partner that can use the value. It is active and has the scope `PROFILE_INQUIRE` or, for
                     *     `share`, `PROFILE_VIEW`. Without it, any partner can.
                     */
                    partner_code?: components["schemas"]["PartnerCode"];
                    purpose: components["schemas"]["QrPurpose"];
                };
            };
        };
        responses: {
            /** @description The QR value. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
            409: components["responses"]["RefusedByPreferences"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    openSignIn: {
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
                 *       "code": "TWS1-7M3K9QXV4T0HB2ZJ6WFE8RC5ND-1795161600-0123456789ABCDEF0123456789ABCDEF"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The text of the QR code as scanned, or the parameter `code` of the link. White space around it does not
                     *     count, and case neither.
                     */
                    code: string;
                };
            };
        };
        responses: {
            200: components["responses"]["ShownSignIn"];
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
    readSignIn: {
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
                 * @description The id of the sign-in request.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                sign_in_id: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ShownSignIn"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveSignIn: {
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
                 * @description The id of the sign-in request.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                sign_in_id: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         "given_name",
                 *         "email"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The items that the citizen shares. */
                    items: components["schemas"]["SignInItem"][];
                };
            };
        };
        responses: {
            /** @description The approved request. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sign_in_id": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "state": "APPROVED",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "items": [
                     *         {
                     *           "item": "given_name",
                     *           "is_required": true
                     *         },
                     *         {
                     *           "item": "email",
                     *           "is_required": false
                     *         }
                     *       ],
                     *       "device": "other",
                     *       "comparison": "K7",
                     *       "minimum_acr": null,
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "expires_at": "2026-11-20T08:05:00.000Z",
                     *       "answered_at": "2026-11-20T08:00:12.000Z",
                     *       "return_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["SignInRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["AssuranceTooLow"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["AcceptanceRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineSignIn: {
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
                 * @description The id of the sign-in request.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                sign_in_id: components["parameters"]["SignInId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The declined request. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sign_in_id": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "state": "DECLINED",
                     *       "partner": {
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "name": "Mabuhay Hotels Incorporated",
                     *         "purpose": "To register you as a guest, as the law asks of hotels."
                     *       },
                     *       "items": [
                     *         {
                     *           "item": "given_name",
                     *           "is_required": true
                     *         },
                     *         {
                     *           "item": "email",
                     *           "is_required": false
                     *         }
                     *       ],
                     *       "device": "other",
                     *       "comparison": "K7",
                     *       "minimum_acr": null,
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "expires_at": "2026-11-20T08:05:00.000Z",
                     *       "answered_at": "2026-11-20T08:00:12.000Z",
                     *       "return_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["SignInRequest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            404: components["responses"]["NotFound"];
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
}
