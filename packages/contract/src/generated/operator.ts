// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description What was done, by whom, newest first, a page at a time. Without personal data. An export is every page of it, with the checkpoints: whoever has them and
         *     the public keys can check all of it without us. Needs `audit:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List checkpoints
         * @description The signed checkpoints of the audit, newest first, a page at a time. Who keeps the newest somewhere else can prove that nothing before it was changed or
         *     cut off. Needs `audit:read`.
         */
        get: operations["listCheckpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/checkpoints/{checkpoint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkpoint
         * @description One signed checkpoint of the audit. Needs `audit:read`.
         */
        get: operations["readCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the audit
         * @description The public keys that checkpoints are signed with, the current one first, and how far the checkpoints go. Needs `audit:read`.
         */
        get: operations["listAuditKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit
         * @description Checks the next checkpoints: that they follow each other, their signatures, their roots, and every event under them. Finds what was edited, deleted,
         *     added, reordered or swapped, and names the first place. Repeat it with `next_checkpoint` until that is null. Needs `audit:read`.
         */
        get: operations["verifyAudit"];
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
         * Find authorizations by tracking number
         * @description How the records of this number stand, without personal data. A number is unique for each partner, so there may be more than one. Needs
         *     `authorizations:read`.
         */
        get: operations["findAuthorizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
        /**
         * Erase a citizen
         * @description Destroys the citizen's own key: profile, passport and every copy of them, here and in records, can be read by nobody any more. What they had
         *     shown or handed out (QR values, exchange codes, tokens) gives nothing. Their history stays in the audit, without their name. It cannot be undone;
         *     a later upsert makes a new citizen. The receipt is a JWS (RFC 7515, EdDSA) by the audit key. Needs `citizens:erase`.
         */
        delete: operations["eraseCitizen"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/citizens/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import citizens
         * @description Write many citizens at once, as `upsertCitizen` writes one: a line of JSON for each (NDJSON), up to 8 MiB in all and 64 KiB a line. Good lines are
         *     written; a line that is wrong is left out and reported by its number. Blank lines count, and are ignored. A `uniqid` that stands in the file twice
         *     is written once: the later line is reported. What is answered as created or replaced is stored for good; the same file may be sent again.
         *     At most 4 imports are taken at once, else `503`. Needs `citizens:write`.
         */
        post: operations["importCitizens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of events
         * @description Events to partners and how their delivery stands, newest first, a page at a time. Needs `deliveries:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Sends an event again, with its `webhook-id`, starting over with the first attempt. For events that were given up, or that a partner has lost.
         *     An event that is waiting for its next attempt is sent now. Needs `deliveries:write`.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes
         * @description Disclosures of which a citizen said "this was not me", newest first, a page at a time. Without personal data. Needs `disputes:read`.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys
         * @description The keys of the key ring as this process knows them, and how much still hangs on each: a key on which nothing hangs can be taken out. Never the
         *     keys themselves. Needs `keys:read`.
         */
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/rewrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move citizens to the current keys
         * @description Wraps the citizens' own keys by the current key-encryption key, and hashes their identifiers with the current pepper; `limit` of them at most. Call it until
         *     `remaining` is `0`; then the old keys can be taken out of the ring. The service answers as usual meanwhile. Needs `keys:write`.
         */
        post: operations["rewrapKeys"];
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
        /**
         * List partners
         * @description Partners by their code, a page at a time. Needs `partners:read`.
         */
        get: operations["listPartners"];
        put?: never;
        /**
         * Create a partner
         * @description The partner and its credentials. The secrets are shown this once. Needs `partners:write` and `credentials:write`.
         */
        post: operations["createPartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a partner
         * @description The partner as it stands. Needs `partners:read`.
         */
        get: operations["readPartner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a partner
         * @description What the body holds is changed, and counts from the next request on, within a second at every process; what is absent stays (RFC 7396, in `limits`
         *     too). The address of its events is changed by `setCallback`. Needs `partners:write`.
         */
        patch: operations["changePartner"];
        trace?: never;
    };
    "/partners/{partner_code}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the callback URL
         * @description Where the partner's events go from now on, those that wait included; null for nowhere. Where the partner's server had ended them with a `410`, new events
         *     are sent again; those given up before have to be replayed.
         *     Needs `partners:write`.
         */
        put: operations["setCallback"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a partner's credentials
         * @description The newest hundred, newest first; never a secret. Needs `partners:read`.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Rotate a credential
         * @description A new secret of a kind, shown this once. The one before it ends when the grace period does, if not earlier; older ones end like revoked ones:
         *     at most two are active. Needs `credentials:write`.
         */
        post: operations["rotateCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/credentials/{credential_id}": {
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
         * Revoke a credential
         * @description The secret is refused from now on, by every process within a second. Revoking it again changes nothing. The partner's other secrets stay. Needs `credentials:write`.
         */
        delete: operations["revokeCredential"];
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
         * @description Refuse every request of the partner until it is resumed, by every process within a second. Needs `partners:write`.
         */
        post: operations["suspendPartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/test-callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends `webhook.test` to the partner's callback URL. How it went stands in the delivery a moment later. A partner without a callback URL is `422`.
         *     Needs `deliveries:write`.
         */
        post: operations["testCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the webhook secret
         * @description A new secret that signs the partner's events, shown this once. Until the grace period ends, events carry a signature of each. Needs `credentials:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/restore-complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that a backup was restored
         * @description To be called once a backup was restored and before callers are let in again: raises the security epoch, so that every QR value, exchange code and access
         *     token from before is refused, used or not. Needs `restore:write`.
         */
        post: operations["completeRestore"];
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
         * @description Seals the audit events from `first_position` to `last_position`: the root of their tree (RFC 6962, SHA-256), chained to the checkpoint before. All that is
         *     said here is read from `signed`, the text that was signed. Hashes and signatures are base64url.
         */
        AuditCheckpoint: {
            /** @description Counted from 1, without a gap. */
            checkpoint: number;
            /** @description Among all events that were ever sealed. */
            first_position: number;
            /** @description The key that signed. */
            kid: string;
            last_position: number;
            /**
             * Format: date-time
             * @description The newest event up to here.
             */
            latest_event_at: string;
            /** @description SHA-256 of `signed` of the checkpoint before; null for the first. */
            previous_hash: string | null;
            root: string;
            /** Format: date-time */
            sealed_at: string;
            /** @description Ed25519 over the bytes of `signed`. */
            signature: string;
            signed: string;
        };
        /**
         * Audit event
         * @description Something that was done, by whom. Without personal data. Shown as it is stored, even where it was tampered with.
         */
        AuditEvent: {
            /** @description The administrator who did it (`sub` of the token); null where it was a partner or a citizen. */
            actor: string | null;
            /** @description What else is to be known, as the names of changed fields. */
            detail: string | null;
            /** @description Above 0, unless it was tampered with. */
            id: number;
            /** @description What happened, as `profile.disclosed` or `partner.suspended`. */
            kind: string;
            /** Format: date-time */
            occurred_at: string;
            partner_code: components["schemas"]["PartnerCode"] | null;
            /** @description The request that did it; `expiry`: time did. */
            request_id: string;
            /** @description Null for about a second. */
            seal: {
                checkpoint: number;
                /** @description What was sealed: with all leaves of a checkpoint its root can be computed again. `ids_hash` in it stands for the ids that are not shown. */
                leaf: string;
                /** @description In the tree of its checkpoint, from 0. */
                position: number;
            } | null;
            tracking_no: string | null;
        };
        /**
         * Audit fault
         * @description The first place at which the audit is not what was sealed.
         */
        AuditFault: {
            checkpoint: number;
            /** @description The `id` of the event. A tampered id may be negative; one beyond these bounds is null. */
            event: number | null;
            /** @description In the tree of the checkpoint; null where the checkpoint itself is at fault. */
            position: number | null;
            /**
             * @description `checkpoint_missing`; `checkpoint_altered`: it does not say what its number promises; `key_unknown`: the key ring lacks the key that signed;
             *     `signature_invalid`; `chain_broken`: it does not follow the one before; `leaf_missing`, `leaf_added`; `event_missing`: deleted;
             *     `event_altered`; `event_added`: among the sealed ones, without having been sealed; `event_misdated`: an hour or more before older ones, or after it was sealed;
             *     `order_altered`; `root_altered`: events and leaves agree with each other, and not with the root.
             * @enum {string}
             */
            what: "checkpoint_missing" | "checkpoint_altered" | "key_unknown" | "signature_invalid" | "chain_broken" | "leaf_missing" | "leaf_added" | "event_missing" | "event_altered" | "event_added" | "event_misdated" | "order_altered" | "root_altered";
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
            kid: string;
            /** @constant */
            kty: "OKP";
            /** @constant */
            use: "sig";
            x: string;
        };
        /**
         * Audit kind
         * @description What happened, as `profile.disclosed` or `partner.suspended`.
         */
        AuditKind: string;
        /**
         * Authorization state
         * @enum {string}
         */
        AuthorizationState: "PENDING" | "ACCEPTED" | "DECLINED" | "EXPIRED" | "CANCELLED" | "REVOKED" | "VIEWED";
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
         * Credential
         * @description One of a partner's secrets, without the secret.
         */
        Credential: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            expires_at: string;
            /** @description Tells nothing of order or number. */
            id: string;
            kind: components["schemas"]["CredentialKind"];
            /**
             * Format: date
             * @description The day, in the time zone of the service (Asia/Manila), on which it last proved the partner; null means never.
             */
            last_used_on: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            status: "ACTIVE" | "EXPIRED" | "REVOKED";
        };
        /**
         * Credential kind
         * @description `secret_token` goes with `X-Secret-Code`, `partner_secret` with `partner_code`.
         * @enum {string}
         */
        CredentialKind: "secret_token" | "partner_secret";
        /**
         * Delivery
         * @description An event to a partner and how its delivery stands.
         */
        Delivery: {
            attempts: number;
            /** Format: date-time */
            delivered_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** @description `HTTP` and the status, or why there was none: `time-out`, `no connection`, `address not allowed`, `no callback URL`, `partner suspended`, `disabled`. */
            last_outcome: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            occurred_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            status: components["schemas"]["DeliveryStatus"];
            tracking_no: components["schemas"]["TrackingNo"] | null;
            type: components["schemas"]["EventType"];
            /** @description The `webhook-id` of the event. */
            webhook_id: string;
        };
        /**
         * Delivery status
         * @description `PENDING`: an attempt is to come. `DELIVERED`: the partner has confirmed it. `DEAD`: given up; it can be replayed.
         * @enum {string}
         */
        DeliveryStatus: "PENDING" | "DELIVERED" | "DEAD";
        /**
         * Dispute
         * @description A disclosure of which the citizen said "this was not me".
         */
        Dispute: {
            /** Format: date-time */
            disclosed_at: string;
            /** @description The id of the partner's request. */
            disclosure_id: string;
            /** Format: date-time */
            disputed_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            tracking_no: components["schemas"]["TrackingNo"] | null;
            /** @enum {string} */
            way: "INQUIRE" | "QR" | "SSO";
        };
        /** Erasure receipt */
        ErasureReceipt: {
            /** Format: date-time */
            erased_at: string;
            /** @description A signed statement of the erasure (compact JWS). Claims `iss`, `iat`, `jti` (the id of this request), `sub` (the subject), `event` (`citizen.erased`). */
            receipt: string;
            /**
             * Format: uuid
             * @description What the citizen was called inside; it led to nobody even before.
             */
            subject: string;
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
        ErrorCode: "malformed_request" | "credentials_missing" | "credentials_invalid" | "token_missing" | "token_invalid" | "token_expired" | "token_used" | "partner_invalid" | "partner_suspended" | "scope_not_granted" | "ip_not_allowed" | "browser_use_forbidden" | "tracking_no_not_found" | "not_found" | "method_not_allowed" | "not_acceptable" | "authorization_not_pending" | "refused_by_preferences" | "result_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "qr_value_invalid" | "scope_invalid" | "exchange_code_invalid" | "slow_down" | "rate_limited" | "quota_exceeded" | "internal_error" | "unavailable";
        /**
         * Event type
         * @enum {string}
         */
        EventType: "authorization.accepted" | "authorization.declined" | "authorization.expired" | "authorization.cancelled" | "authorization.revoked" | "profile.viewed" | "sso.authenticated" | "credential.expiring" | "webhook.test";
        /**
         * Import report
         * @description Every line that is not blank counts once: `created`, `replaced` or `rejected`.
         */
        ImportReport: {
            /** @description Citizens who were unknown before. */
            created: number;
            /** @description The first 1,000 of the rejected lines, in their order. */
            errors: components["schemas"]["LineFault"][];
            /** @description Lines that were left out. */
            rejected: number;
            replaced: number;
        };
        /**
         * Address allow-list
         * @description Addresses and ranges (CIDR), of IPv4 and IPv6, from which the partner may call. Empty means any.
         */
        IpAllowList: string[];
        /**
         * Key
         * @description A key of the key ring, without the key.
         */
        Key: {
            /**
             * Format: date-time
             * @description From when on it is to be the current one.
             */
            active_from: string | null;
            /** @description How many stored things need it; null where that is not counted (access tokens live five minutes, signatures are for ever). */
            in_use: number | null;
            /** @description New things are made with it. */
            is_current: boolean;
            kid: string;
            purpose: string;
        };
        /** Line fault */
        LineFault: {
            /** @description Per field at fault, what is wrong with it; under `line` what is wrong with the line as a whole. */
            errors: {
                [key: string]: string[];
            };
            /** @description Counted from 1. */
            line: number;
        };
        /** Partner */
        Partner: {
            /** @description Where events are sent. */
            callback_url: string | null;
            /** Format: date-time */
            created_at: string;
            ip_allow_list: components["schemas"]["IpAllowList"];
            limits: components["schemas"]["PartnerLimits"];
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
         * Change of a partner
         * @description What is absent stays as it is.
         */
        PartnerChange: {
            ip_allow_list?: components["schemas"]["IpAllowList"];
            limits?: components["schemas"]["PartnerLimitsChange"];
            name?: components["schemas"]["PartnerLegalName"];
            purpose?: components["schemas"]["PartnerPurpose"];
            /** @description What the partner may do. At once in force. */
            scopes?: components["schemas"]["Scope"][];
            /**
             * Format: uri
             * @description Where the citizen app hands exchange codes to; null means nowhere. `https` (in the sandbox also `http` on a loopback address).
             */
            sso_url?: string | null;
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
             * @description When `secret_token` and `partner_secret` expire.
             */
            expires_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description For the body of the token operation. */
            partner_secret: string;
            /** @description For the header `X-Secret-Code`. */
            secret_code: string;
            /** @description For the header `X-Secret-Token`. */
            secret_token: string;
            /** @description Verifies the events sent to `callback_url`. */
            webhook_secret: string;
        };
        /**
         * Partner legal name
         * @description The legal name, which the citizen reads. Without control, bidirectional and invisible characters, and without spaces at either end.
         */
        PartnerLegalName: string;
        /**
         * Partner limits
         * @description The partner's own limits. Null means the service's setting.
         */
        PartnerLimits: {
            /** @description How many profiles and sign-ins the partner may begin in a day: request authorization, profile by QR value and generate token together. Null means no quota. */
            per_day: number | null;
            /** @description Request authorization. */
            requests_per_minute: number | null;
            /** @description SSO authentication. */
            sign_ins_per_minute: number | null;
            /** @description Generate token. */
            tokens_per_minute: number | null;
            /** @description Profile by QR value. */
            views_per_minute: number | null;
        };
        /**
         * Change of a partner's limits
         * @description What is absent stays as it is. Null means the service's setting; `per_day` null means no quota.
         */
        PartnerLimitsChange: {
            /** @description How many profiles and sign-ins the partner may begin in a day: request authorization, profile by QR value and generate token together. Null means no quota. */
            per_day?: number | null;
            /** @description Request authorization. */
            requests_per_minute?: number | null;
            /** @description SSO authentication. */
            sign_ins_per_minute?: number | null;
            /** @description Generate token. */
            tokens_per_minute?: number | null;
            /** @description Profile by QR value. */
            views_per_minute?: number | null;
        };
        /**
         * Partner purpose
         * @description Why the partner asks, which the citizen reads. Without control, bidirectional and invisible characters, and without spaces at either end.
         */
        PartnerPurpose: string;
        /** Partner registration */
        PartnerRegistration: {
            /**
             * Format: uri
             * @description Where events are sent. `https` (in the sandbox also `http` on a loopback address).
             */
            callback_url?: string | null;
            ip_allow_list?: components["schemas"]["IpAllowList"];
            limits?: components["schemas"]["PartnerLimitsChange"];
            name: components["schemas"]["PartnerLegalName"];
            partner_code: components["schemas"]["PartnerCode"];
            purpose: components["schemas"]["PartnerPurpose"];
            /** @description What the partner may do. */
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
        /**
         * Tracked authorization
         * @description How a record stands, without personal data.
         */
        TrackedAuthorization: {
            /** Format: date-time */
            accepted_at: string | null;
            /**
             * Format: date-time
             * @description When it reached the state it will stay in.
             */
            ended_at: string | null;
            /**
             * Format: date-time
             * @description Until when the citizen could answer.
             */
            expires_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** Format: date-time */
            requested_at: string;
            /** @enum {string} */
            scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
            state: components["schemas"]["AuthorizationState"];
            tracking_no: components["schemas"]["TrackingNo"];
        };
        /**
         * Tracking number
         * @description Names one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
        /** Webhook secret */
        WebhookSecret: {
            /**
             * Format: date-time
             * @description Until when the previous secret signs too; null where it ended at once.
             */
            previous_until: string | null;
            /** @description Verifies events. Shown this once. */
            webhook_secret: string;
        };
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
        /** @description The body is larger than 8 MiB. Nothing was written: send it in parts. */
        ImportTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": 413,
                 *       "message": "The body is too large",
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
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditFault = components['schemas']['AuditFault'];
export type AuditKey = components['schemas']['AuditKey'];
export type AuditKind = components['schemas']['AuditKind'];
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type CitizenRegistration = components['schemas']['CitizenRegistration'];
export type Credential = components['schemas']['Credential'];
export type CredentialKind = components['schemas']['CredentialKind'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Dispute = components['schemas']['Dispute'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventType = components['schemas']['EventType'];
export type ImportReport = components['schemas']['ImportReport'];
export type IpAllowList = components['schemas']['IpAllowList'];
export type Key = components['schemas']['Key'];
export type LineFault = components['schemas']['LineFault'];
export type Partner = components['schemas']['Partner'];
export type PartnerChange = components['schemas']['PartnerChange'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type PartnerCredentials = components['schemas']['PartnerCredentials'];
export type PartnerLegalName = components['schemas']['PartnerLegalName'];
export type PartnerLimits = components['schemas']['PartnerLimits'];
export type PartnerLimitsChange = components['schemas']['PartnerLimitsChange'];
export type PartnerPurpose = components['schemas']['PartnerPurpose'];
export type PartnerRegistration = components['schemas']['PartnerRegistration'];
export type Passport = components['schemas']['Passport'];
export type Profile = components['schemas']['Profile'];
export type Scope = components['schemas']['Scope'];
export type TrackedAuthorization = components['schemas']['TrackedAuthorization'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type ResponseIdentityTokenRefused = components['responses']['IdentityTokenRefused'];
export type ResponseImportTooLarge = components['responses']['ImportTooLarge'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseOperatorRefused = components['responses']['OperatorRefused'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterPartnerCode = components['parameters']['PartnerCode'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only those that this checkpoint seals. */
                checkpoint?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only from this time on. */
                from?: string;
                /** @description Only events of this kind. */
                kind?: components["schemas"]["AuditKind"];
                /** @description How many a page holds at most. */
                limit?: number;
                /** @description Only those of this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
                /** @description Only before this time. */
                to?: string;
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
                     *       "events": [
                     *         {
                     *           "id": 97,
                     *           "occurred_at": "2026-11-20T08:00:14.123Z",
                     *           "kind": "sso.authenticated",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "tracking_no": null,
                     *           "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "actor": null,
                     *           "detail": null,
                     *           "seal": {
                     *             "checkpoint": 41,
                     *             "position": 0,
                     *             "leaf": "{\"actor\":null,\"detail\":null,\"ids_hash\":\"G1YYj73GWohZI4hsi3JxMyFJBQWJ2RgDNkUhCAzQeS0\",\"kind\":\"sso.authenticated\",\"occurred_at\":\"2026-11-20T08:00:14.123456Z\",\"partner_code\":\"HOTEL_MABUHAY\",\"request_id\":\"req_5Hb2pYJ7Qn0sVtXw8RkZc1\",\"tracking_no\":null}"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        events: components["schemas"]["AuditEvent"][];
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCheckpoints: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many a page holds at most. */
                limit?: number;
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
                     *       "checkpoints": [
                     *         {
                     *           "checkpoint": 41,
                     *           "first_position": 97,
                     *           "last_position": 98,
                     *           "root": "Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY",
                     *           "previous_hash": "FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA",
                     *           "latest_event_at": "2026-11-20T08:00:14.987654Z",
                     *           "sealed_at": "2026-11-20T08:00:15.204Z",
                     *           "kid": "1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f",
                     *           "signed": "{\"checkpoint\":41,\"first_position\":97,\"kid\":\"1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f\",\"last_position\":98,\"latest_event_at\":\"2026-11-20T08:00:14.987654Z\",\"previous_hash\":\"FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA\",\"root\":\"Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY\",\"sealed_at\":\"2026-11-20T08:00:15.204Z\"}",
                     *           "signature": "a4N6N6XIURAUJRLx_K12gvHZ5YK9TzlPorn3WfG-n7ZnWAi-bkMT72idQMX-44ouOIxbVOqi_IB0ktCEbZR3Bg"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        checkpoints: components["schemas"]["AuditCheckpoint"][];
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Its number.
                 * @example 41
                 */
                checkpoint: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The checkpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checkpoint": 41,
                     *       "first_position": 97,
                     *       "last_position": 98,
                     *       "root": "Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY",
                     *       "previous_hash": "FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA",
                     *       "latest_event_at": "2026-11-20T08:00:14.987654Z",
                     *       "sealed_at": "2026-11-20T08:00:15.204Z",
                     *       "kid": "1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f",
                     *       "signed": "{\"checkpoint\":41,\"first_position\":97,\"kid\":\"1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f\",\"last_position\":98,\"latest_event_at\":\"2026-11-20T08:00:14.987654Z\",\"previous_hash\":\"FI3pxaekTRnlbNmuGlVL9nhHr7DFj24S-imsfd_KmUA\",\"root\":\"Qfvsy-Z1NI-uJ2imliblWayRdASuxrxbRq8cpk-iqGY\",\"sealed_at\":\"2026-11-20T08:00:15.204Z\"}",
                     *       "signature": "a4N6N6XIURAUJRLx_K12gvHZ5YK9TzlPorn3WfG-n7ZnWAi-bkMT72idQMX-44ouOIxbVOqi_IB0ktCEbZR3Bg"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditCheckpoint"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "alg": "EdDSA",
                     *           "use": "sig",
                     *           "kid": "1e9c3f9a-7f0f-4f57-9e0e-1a2b3c4d5e6f",
                     *           "x": "ZbB2E7c0nR-VbT97WZngsSu9Y1C28k24l9p-lVxUOSg"
                     *         }
                     *       ],
                     *       "latest_checkpoint": 41
                     *     }
                     */
                    "application/json": {
                        keys: components["schemas"]["AuditKey"][];
                        /** @description The number of the newest; null before the first. */
                        latest_checkpoint: number | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyAudit: {
        parameters: {
            query?: {
                /** @description The first to check. */
                from_checkpoint?: number;
                /** @description How many to check at most; fewer where they seal many events. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. A fault is no error of this call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checked_checkpoints": 41,
                     *       "checked_rows": 98,
                     *       "unsealed_rows": 2,
                     *       "next_checkpoint": null,
                     *       "first_fault": null
                     *     }
                     */
                    "application/json": {
                        checked_checkpoints: number;
                        checked_rows: number;
                        first_fault: components["schemas"]["AuditFault"] | null;
                        /** @description Go on with this one; null at the end, and after a fault. */
                        next_checkpoint: number | null;
                        /** @description Events that wait to be sealed, as the newest do for about a second. Counted up to 100,000. */
                        unsealed_rows: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    findAuthorizations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The records' number.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records, at least one. */
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
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "scope": "PROFILE_INQUIRE",
                     *           "state": "ACCEPTED",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "expires_at": "2026-11-20T08:05:00.000Z",
                     *           "accepted_at": "2026-11-20T08:00:12.000Z",
                     *           "ended_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        authorizations: components["schemas"]["TrackedAuthorization"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertCitizen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The citizen's identifier in the registry, as in the profile.
                 * @example CTZ-0000000001
                 */
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
    eraseCitizen: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The citizen's identifier in the registry.
                 * @example CTZ-0000000001
                 */
                uniqid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "erased_at": "2026-11-20T08:00:00.000Z",
                     *       "subject": "0b7c1a52-6d1e-4d52-9a5c-2f7f3f1f7e11",
                     *       "receipt": "eyJhbGciOiJFZERTQSJ9.eyJzdWJqZWN0IjoiIn0.c2ln"
                     *     }
                     */
                    "application/json": components["schemas"]["ErasureReceipt"];
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
    importCitizens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Every line was looked at. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["ImportTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many a page holds at most. */
                limit?: number;
                /** @description Only those to this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
                /**
                 * @description Only those that stand so.
                 * @example DEAD
                 */
                status?: components["schemas"]["DeliveryStatus"];
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
                     *       "deliveries": [
                     *         {
                     *           "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "type": "authorization.accepted",
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "occurred_at": "2026-11-20T08:00:12.000Z",
                     *           "status": "DEAD",
                     *           "attempts": 10,
                     *           "last_attempt_at": "2026-11-23T21:42:00.000Z",
                     *           "last_outcome": "HTTP 500",
                     *           "next_attempt_at": null,
                     *           "delivered_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `webhook-id` of the event.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, waiting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "type": "authorization.accepted",
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *       "occurred_at": "2026-11-20T08:00:12.000Z",
                     *       "status": "PENDING",
                     *       "attempts": 0,
                     *       "last_attempt_at": "2026-11-23T21:42:00.000Z",
                     *       "last_outcome": "HTTP 500",
                     *       "next_attempt_at": "2026-11-24T09:00:00.000Z",
                     *       "delivered_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
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
    listDisputes: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many a page holds at most. */
                limit?: number;
                /** @description Only those of this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
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
                     *       "disputes": [
                     *         {
                     *           "disclosure_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "disputed_at": "2026-11-20T09:30:00.000Z",
                     *           "disclosed_at": "2026-11-20T08:00:14.000Z",
                     *           "way": "SSO",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "tracking_no": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        disputes: components["schemas"]["Dispute"][];
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, by purpose, the current one first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kid": "4f0c1a52-6d1e-4d52-9a5c-2f7f3f1f7e11",
                     *           "purpose": "key-encryption",
                     *           "is_current": true,
                     *           "active_from": null,
                     *           "in_use": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rewrapKeys: {
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
                 *       "limit": 500
                 *     }
                 */
                "application/json": {
                    /** @description How many at most */
                    limit: number;
                };
            };
        };
        responses: {
            /** @description How far it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "moved": 500,
                     *       "remaining": 1200
                     *     }
                     */
                    "application/json": {
                        moved: number;
                        remaining: number;
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
    listPartners: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description How many a page holds at most. */
                limit?: number;
                /**
                 * @description Only those with this text in their code or name, in whatever case.
                 * @example hotel
                 */
                q?: string;
                /** @description Only those that stand so. */
                status?: "ACTIVE" | "SUSPENDED";
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
                     *       "partners": [
                     *         {
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "name": "Mabuhay Hotels Incorporated",
                     *           "purpose": "To register you as a guest, as the law asks of hotels.",
                     *           "scopes": [
                     *             "PROFILE_INQUIRE",
                     *             "SSO_AUTHENTICATION"
                     *           ],
                     *           "status": "ACTIVE",
                     *           "callback_url": "https://hotel.example/tiwala/callback",
                     *           "sso_url": "https://hotel.example/signed-in",
                     *           "ip_allow_list": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "limits": {
                     *             "requests_per_minute": 300,
                     *             "views_per_minute": null,
                     *             "tokens_per_minute": null,
                     *             "sign_ins_per_minute": null,
                     *             "per_day": 50000
                     *           },
                     *           "created_at": "2026-11-20T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Give it as `cursor` to get the next page; null on the last. */
                        next_cursor: string | null;
                        partners: components["schemas"]["Partner"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
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
                 *       "sso_url": "https://hotel.example/signed-in",
                 *       "ip_allow_list": [
                 *         "203.0.113.0/24"
                 *       ],
                 *       "limits": {
                 *         "requests_per_minute": 300,
                 *         "per_day": 50000
                 *       }
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
                     *         "ip_allow_list": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "limits": {
                     *           "requests_per_minute": 300,
                     *           "views_per_minute": null,
                     *           "tokens_per_minute": null,
                     *           "sign_ins_per_minute": null,
                     *           "per_day": 50000
                     *         },
                     *         "created_at": "2026-11-20T08:00:00.000Z"
                     *       },
                     *       "credentials": {
                     *         "secret_code": "twc_0123456789ABCDEFGHIJ",
                     *         "secret_token": "twt_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "partner_secret": "tws_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "webhook_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=",
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
    readPartner: {
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
            /** @description The partner. */
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
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 300,
                     *         "views_per_minute": null,
                     *         "tokens_per_minute": null,
                     *         "sign_ins_per_minute": null,
                     *         "per_day": 50000
                     *       },
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
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePartner: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ip_allow_list": [
                 *         "203.0.113.0/24"
                 *       ],
                 *       "limits": {
                 *         "requests_per_minute": 300,
                 *         "per_day": 50000
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PartnerChange"];
            };
        };
        responses: {
            /** @description The partner, changed. */
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
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 300,
                     *         "views_per_minute": null,
                     *         "tokens_per_minute": null,
                     *         "sign_ins_per_minute": null,
                     *         "per_day": 50000
                     *       },
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
    setCallback: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callback_url": "https://hotel.example/tiwala/callback"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description `https` (in the sandbox also `http` on a loopback address).
                     */
                    callback_url: string | null;
                };
            };
        };
        responses: {
            /** @description The partner. */
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
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 300,
                     *         "views_per_minute": null,
                     *         "tokens_per_minute": null,
                     *         "sign_ins_per_minute": null,
                     *         "per_day": 50000
                     *       },
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
    listCredentials: {
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
            /** @description The credentials. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credentials": [
                     *         {
                     *           "id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *           "kind": "secret_token",
                     *           "status": "ACTIVE",
                     *           "created_at": "2026-11-20T08:00:00.000Z",
                     *           "expires_at": "2027-11-20T08:00:00.000Z",
                     *           "revoked_at": null,
                     *           "last_used_on": "2026-11-21"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        credentials: components["schemas"]["Credential"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["IdentityTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateCredential: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "secret_token",
                 *       "grace_days": 7
                 *     }
                 */
                "application/json": {
                    /** @description For how many days the previous secret works, too. 7 is usual; 0 where it has leaked. */
                    grace_days: number;
                    kind: components["schemas"]["CredentialKind"];
                };
            };
        };
        responses: {
            /** @description The new credential and its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "credential": {
                     *         "id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *         "kind": "secret_token",
                     *         "status": "ACTIVE",
                     *         "created_at": "2026-11-20T08:00:00.000Z",
                     *         "expires_at": "2027-11-20T08:00:00.000Z",
                     *         "revoked_at": null,
                     *         "last_used_on": null
                     *       },
                     *       "secret": "twt_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm"
                     *     }
                     */
                    "application/json": {
                        credential: components["schemas"]["Credential"];
                        /** @description The secret itself, shown this once and stored only as a keyed hash. */
                        secret: string;
                    };
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
    revokeCredential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The credential's `id`.
                 * @example crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                credential_id: string;
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
            /** @description The credential, revoked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *       "kind": "secret_token",
                     *       "status": "REVOKED",
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "expires_at": "2027-11-20T08:00:00.000Z",
                     *       "revoked_at": "2026-11-21T09:12:00.000Z",
                     *       "last_used_on": "2026-11-21"
                     *     }
                     */
                    "application/json": components["schemas"]["Credential"];
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
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 300,
                     *         "views_per_minute": null,
                     *         "tokens_per_minute": null,
                     *         "sign_ins_per_minute": null,
                     *         "per_day": 50000
                     *       },
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
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "limits": {
                     *         "requests_per_minute": 300,
                     *         "views_per_minute": null,
                     *         "tokens_per_minute": null,
                     *         "sign_ins_per_minute": null,
                     *         "per_day": 50000
                     *       },
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
    testCallback: {
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
            /** @description The delivery, waiting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "type": "webhook.test",
                     *       "tracking_no": null,
                     *       "occurred_at": "2026-11-20T08:00:12.000Z",
                     *       "status": "PENDING",
                     *       "attempts": 0,
                     *       "last_attempt_at": null,
                     *       "last_outcome": null,
                     *       "next_attempt_at": "2026-11-20T08:00:12.000Z",
                     *       "delivered_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
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
    rotateWebhookSecret: {
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
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grace_days": 7
                 *     }
                 */
                "application/json": {
                    /** @description For how many days the previous secret signs, too. 7 is usual; 0 where it has leaked. */
                    grace_days: number;
                };
            };
        };
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAAAAAAAAAAA=",
                     *       "previous_until": "2026-11-27T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
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
    completeRestore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The epoch that holds now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "epoch": 2
                     *     }
                     */
                    "application/json": {
                        epoch: number;
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
}
