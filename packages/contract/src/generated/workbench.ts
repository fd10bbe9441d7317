// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your secrets
         * @description List the secrets of the partner, newest first, at most 100: until when each one works, and when it was used last.
         *     Contains no secrets.
         */
        get: operations["listOwnCredentials"];
        put?: never;
        /**
         * Rotate a secret
         * @description Issue a new secret of one kind. It is shown only in this response. The previous secret works until the grace
         *     period ends, or until it expires if that is earlier. At most two secrets of a kind are active: older ones
         *     end as if they were revoked. Needs the role `admin`.
         */
        post: operations["rotateOwnCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/{credential_id}": {
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
         * Revoke a secret
         * @description Revoke one secret of the partner. From now on the service rejects the secret, in every process within a
         *     second. The partner's other secrets stay valid. If the credential is already revoked, nothing changes.
         *     Needs the role `admin`.
         */
        delete: operations["revokeOwnCredential"];
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
         * List own deliveries
         * @description List the events to the partner and the state of their delivery, newest first, one page at a time. The service keeps an
         *     event for 30 days after it was delivered or given up.
         */
        get: operations["listOwnDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description Read one delivery, with each attempt and why it failed, and the body that the service sends. The body holds no personal
         *     data.
         */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the endpoint
         * @description Read where the partner's events go, whether the service sends them, and until when the previous webhook secret signs too.
         */
        get: operations["readEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoint/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the endpoint
         * @description Send events again to an endpoint that is disabled or failing. What was given up meanwhile stays dead: replay it. An endpoint that is
         *     active stays as it is. Needs the role `developer`.
         */
        post: operations["enableEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoint/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a sample event
         * @description Send a sample event of a type to the partner's callback URL. Except for its type, it looks like a real one: it is about a
         *     tracking number that does not exist, so `inquire` responds with `404`. A moment later, the delivery shows the result. If
         *     the partner has no callback URL, the response is `422`.
         *     Needs the role `developer`.
         */
        post: operations["testOwnCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/endpoint/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate your webhook secret
         * @description Issue a new secret that signs the partner's events. It is shown only in this response. Until the grace
         *     period ends, events carry a signature of each of the two secrets. Needs the role `admin`.
         */
        post: operations["rotateOwnWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read figures
         * @description Read how many requests the partner sent and how they ended, how long they took, how much of the limits they used, how
         *     the deliveries of events went, and how citizens answered.
         *
         *     The figures are counts, kept a little longer than the longest range. A request is in them at most some seconds after its
         *     end. Requests that are missing in the log, because the service was overloaded, are counted. A process that crashes
         *     loses its counts of the last seconds.
         *
         *     `authorizations` counts answers of citizens, so small numbers are null, and only complete days are in it: a day is
         *     complete when its last request has ended. Otherwise two reads, one before and one after an answer, would single out a
         *     citizen.
         */
        get: operations["readFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/going-live-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check the integration
         * @description Compare what the partner has sent with the going-live list, and get a signed report. The service looks at the newest 2,000
         *     requests that it still has. It also sends two test events to the callback URL: one with a wrong signature, then one
         *     with the right signature. It stores no report: keep the response. Needs the role `developer`.
         */
        post: operations["writeGoingLiveReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description List the people who can sign in for the partner, at most 1000: those who were invited, and those who have signed in.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description Invite a person of the partner. The service sends no mail: the person signs in at the workbench, with this email
         *     address at the identity provider. Needs the role `admin`.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{member_id}": {
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
         * Remove a member
         * @description Remove a member. The sessions of the person for this partner end at once, and the changes of settings that the person
         *     asked for and that wait become `VOID`. Members cannot remove themselves, so that a partner keeps an administrator. Needs
         *     the role `admin`.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a role
         * @description Give a member another role. The body may also have the type `application/merge-patch+json`. The role applies to the
         *     next request of the member. With another role than `admin`, the changes of settings that the member asked for and
         *     that wait become `VOID`. A member cannot change their own role, so that a
         *     partner keeps an administrator. Needs the role `admin`.
         */
        patch: operations["changeMember"];
        trace?: never;
    };
    "/range-replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a range
         * @description Send the events of a status, type and time again, with the same `webhook-id`, starting over with the first attempt.
         *     An absent field selects all. Sends at most `limit` events, the oldest first; then `next_cursor` continues after them. The
         *     events stay as they are while the partner has no callback URL or the endpoint is disabled. The audit has one event for
         *     each request, with the number of deliveries.
         *     Needs the role `developer`.
         */
        post: operations["replayOwnRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List records
         * @description List the partner's authorization records, newest first, one page at a time: their tracking numbers, states and times,
         *     without the profile. With `tracking_no`, the one record, or an empty page.
         */
        get: operations["listOwnRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay deliveries
         * @description Send events again, with the same `webhook-id`, starting over with the first attempt: one or a selection. An event that
         *     waits for its next attempt is sent now. An event that the partner does not have is left out. Needs the role `developer`.
         */
        post: operations["replayOwnDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/request-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description List the requests that the partner sent to the partner API, newest first, one page at a time. A request without a
         *     valid secret counts for the partner that it names. A request is in the list about a second after its response, for
         *     30 days. Under overload, requests are left out of the list. Requests of OpenID Connect are not in it: `readDiagnosis`
         *     explains them.
         *
         *     The list contains no personal data, no code and no secret.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/request-log/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a request
         * @description Read one request, and which of its checks failed. `diagnosis` is null if the request was not rejected, or if the
         *     service kept no diagnosis: it keeps one for 24 hours.
         */
        get: operations["readRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the session
         * @description Who is signed in, for which partner, and with which role. The page of the workbench reads it first: a browser
         *     without a session gets `401 session_required`. Reading it continues the session, as every request does. For a token,
         *     it shows the member of the token.
         */
        get: operations["readSession"];
        put?: never;
        post?: never;
        /**
         * Sign out
         * @description End this session. Other sessions of the same person stay. A person who is still signed in at the identity
         *     provider can sign in again without a password. For a token there is nothing to end: it is valid until it expires.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description Read where the service sends events and browsers, from where the partner may send requests, by which keys it signs in,
         *     and what citizens see of it. `approvals` are the newest 20 changes that an administrator decides.
         */
        get: operations["readSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change settings
         * @description Change the settings that the body names; absent settings stay as they are (RFC 7396). The body may also have the type
         *     `application/merge-patch+json`. If `needs_approval` is true, a change that widens access waits for an
         *     administrator, as a whole. It is then in `approvals`, and the settings stay as they are. A new request about the same
         *     setting replaces the one that waits. These changes widen access:
         *
         *     - another `callback_url` or `sso_url`, but not null;
         *     - a further redirect URI;
         *     - other `keys` or another `jwks_url`, unless keys are only removed and one is left;
         *     - a further address or range in `ip_allow_list`, or its end (an empty list allows every address).
         *
         *     All other changes apply at once. 50 changes of a partner can be asked for in 24 hours. Needs the role `admin`.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/settings/approvals/{approval_id}": {
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
         * Withdraw a change
         * @description Withdraw a change that waits for an administrator. Needs the role `admin`.
         */
        delete: operations["withdrawApproval"];
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
         * Approval status
         * @description - `PENDING`: it waits.
         *     - `GRANTED`: the change was made.
         *     - `RETURNED`: an administrator did not make it.
         *     - `WITHDRAWN`: the person who asked, or another `admin` of the partner, no longer wants it.
         *     - `VOID`: what it changes was changed since, or another change of it was asked for. A status and scopes count as
         *       changed, too, when they were set to the value that they had. An erasure is void when the citizen is erased
         *       otherwise. A change of settings is void when the member who asked is removed or is no `admin` any more. All are
         *       void after a restore.
         *     - `EXPIRED`: it was not decided in time.
         * @enum {string}
         */
        ApprovalStatus: "PENDING" | "GRANTED" | "RETURNED" | "WITHDRAWN" | "VOID" | "EXPIRED";
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
         * Credential
         * @description One of a partner's credentials, without the secret itself.
         */
        Credential: {
            /**
             * Format: date-time
             * @description When the credential was issued.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the credential expires, if it is not revoked before.
             */
            expires_at: string;
            /** @description The identifier of the credential. It reveals neither order nor number. */
            id: string;
            /** @description Whether a newer credential replaces it. While both are active, `expires_at` is the end of the grace period. */
            is_superseded: boolean;
            kind: components["schemas"]["CredentialKind"];
            /**
             * Format: date
             * @description The last day on which the credential authenticated the partner, in the time zone of the service. Null means never.
             */
            last_used_on: string | null;
            /**
             * Format: date-time
             * @description When the credential was revoked. Null if it was not.
             */
            revoked_at: string | null;
            /**
             * @description Whether the credential can be used. Only an `ACTIVE` one authenticates the partner.
             * @enum {string}
             */
            status: "ACTIVE" | "EXPIRED" | "REVOKED";
        };
        /**
         * Credential kind
         * @description The kind of secret: `secret_token` belongs to `X-Secret-Code`, `partner_secret` belongs to `partner_code`.
         * @enum {string}
         */
        CredentialKind: "secret_token" | "partner_secret";
        /**
         * Delivery
         * @description The delivery of one event to a partner.
         */
        Delivery: {
            /** @description How often the service tried to deliver the event. */
            attempts: number;
            /**
             * Format: date-time
             * @description When the partner confirmed the event with `2xx`. Null if it did not.
             */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When the last attempt was made. Null before the first.
             */
            last_attempt_at: string | null;
            /**
             * @description The result of the last attempt: `HTTP` and the status, or why there is no status.
             *
             *     - `host not found`: DNS gave no address for the name.
             *     - `address not allowed`: the address is neither public nor in a network that the service allows.
             *     - `connection refused`: no program listens on the port.
             *     - `certificate not valid`: for example self-signed, expired, or of another name.
             *     - `TLS failed`: for another reason, for example because the server does not use TLS.
             *     - `connection closed`: by the server, before its response.
             *     - `no connection`: for another reason, for example because the network cannot be reached.
             *     - `time-out`: no response in 15 seconds.
             *     - `not HTTP`, `headers too large`: the response is not HTTP, or its headers are larger than 64 KiB.
             *     - `no callback URL`, `partner suspended`, `disabled`: the service sent nothing.
             */
            last_outcome: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null if there is none.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            occurred_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            partner_name: components["schemas"]["RegisteredName"];
            status: components["schemas"]["DeliveryStatus"];
            tracking_no: components["schemas"]["TrackingNo"] | null;
            type: components["schemas"]["EventType"];
            /** @description The `webhook-id` of the event. */
            webhook_id: string;
        };
        /**
         * Delivery attempt
         * @description One attempt to deliver an event.
         */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt ended.
             */
            attempted_at: string;
            /** @description How long the attempt took. 0 if the service sent nothing. */
            duration_ms: number;
            /** @description `HTTP` and the status, or why there is none: as `last_outcome` of `Delivery`. */
            outcome: string;
        };
        /**
         * Delivery status
         * @description `PENDING`: the next attempt is scheduled. `DELIVERED`: the partner confirmed the event. `DEAD`: the service
         *     gave up; the event can be replayed.
         * @enum {string}
         */
        DeliveryStatus: "PENDING" | "DELIVERED" | "DEAD";
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
         * Endpoint
         * @description Where the events of a partner go, and whether the service sends them.
         */
        Endpoint: {
            /** @description The address. Null: the partner gets no events. */
            callback_url: string | null;
            /** @description How many deliveries are `DEAD`. 1000: or more. */
            dead_letters: number;
            /**
             * Format: date-time
             * @description Since when the endpoint is disabled, or null.
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Until when the previous webhook secret signs too. Null if it does not.
             */
            previous_secret_until: string | null;
            /**
             * @description - `NOT_SET`: there is no callback URL.
             *     - `ACTIVE`: the last attempt succeeded, or there was none.
             *     - `FAILING`: the last attempt failed. The service attempts only a few events at once.
             *     - `DISABLED`: the partner's server responded with `410`, so the service sends no events.
             * @enum {string}
             */
            status: "NOT_SET" | "ACTIVE" | "FAILING" | "DISABLED";
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
         * Event type
         * @description The type of an event to a partner.
         * @enum {string}
         */
        EventType: "authorization.accepted" | "authorization.declined" | "authorization.expired" | "authorization.cancelled" | "authorization.revoked" | "profile.viewed" | "sso.authenticated" | "credential.expiring" | "webhook.test";
        /**
         * Figures
         * @description What a partner sent and received, as counts.
         */
        Figures: {
            /**
             * Figures authorizations
             * @description How citizens answered requests for authorization.
             */
            authorizations: {
                /** @description The last 30 complete days, the oldest first. The days are those of the request, also for later answers. */
                days: {
                    /** @description Those that the citizen accepted, also if revoked later. */
                    accepted: number | null;
                    /** @description Requests for authorization. */
                    asked: number;
                    /** @description Those that the partner cancelled. */
                    cancelled: number;
                    /**
                     * Format: date
                     * @description The day.
                     */
                    date: string;
                    /** @description Those that the citizen declined. */
                    declined: number | null;
                    /** @description Those that the citizen did not answer. */
                    expired: number | null;
                }[];
                /**
                 * @description A number of answers below it, other than 0, is null. So are others of the same day, from which it would follow: the
                 *     hidden ones together are at least as many, if the day has so many requests.
                 */
                smallest_shown: number;
            };
            /** @description The error codes of the range, the most frequent first. */
            errors: {
                error: components["schemas"]["ErrorCode"];
                /** @description The requests that got it. */
                requests: number;
            }[];
            /** @description How much of each limit per minute was used, at most. */
            limits: {
                /**
                 * @description The highest share of the limit that the requests of a minute used, at the time of the request. 100: further requests
                 *     of this minute were rejected. Each process of the service counts for itself.
                 */
                highest_percent: number;
                /**
                 * @description The limit.
                 * @enum {string}
                 */
                limit: "requests_per_minute" | "views_per_minute" | "tokens_per_minute" | "sign_ins_per_minute";
                /** @description The present limit. */
                per_minute: number;
            }[];
            /**
             * @description How long the requests of each operation took in the range. A time is the upper end of a range of durations (10, 25, 50, 100,
             *     250, 500, 1000, 2500, 5000, 10000, 30000 or 60000); 60000 also stands for more. A request that waits (`Prefer: wait`) takes as
             *     long as it waits.
             */
            operations: {
                /** @description Half of them took at most this long. */
                median_ms: number;
                /** @description The operationId. Null if the request was rejected before the service determined the operation. */
                operation: string | null;
                /** @description 95 % of them took at most this long. */
                p95_ms: number;
                /** @description 99 % of them took at most this long. */
                p99_ms: number;
                /** @description The requests. */
                requests: number;
            }[];
            partner_code: components["schemas"]["PartnerCode"];
            /** @description The daily quota. Null if the partner has none. */
            quota: {
                /** @description The last thirty days, the oldest first. */
                days: {
                    /**
                     * Format: date
                     * @description The day.
                     */
                    date: string;
                    /** @description How much of the quota was used. */
                    used: number;
                }[];
                /** @description The present quota. */
                per_day: number;
            } | null;
            /**
             * @description As in the request.
             * @enum {string}
             */
            range: "day" | "month";
            /** @description Each hour (24) or day (30) of the range, the oldest first. The last one is not over. */
            steps: {
                /** @description Requests of which the client closed the connection before the response. */
                closed: number;
                /**
                 * Figures deliveries
                 * @description Attempts to deliver an event.
                 */
                deliveries: {
                    /** @description Last attempts that failed: the event is `DEAD`. */
                    dead: number;
                    /** @description Attempts that succeeded. */
                    delivered: number;
                    /** @description Attempts that failed, with another one to come. */
                    failed: number;
                };
                /** @description Requests that got a status from 500 on. */
                failed: number;
                /** @description Requests that got a status from 400 to 498. */
                refused: number;
                /**
                 * Format: date-time
                 * @description When the hour or day begins.
                 */
                starts_at: string;
                /** @description Requests that succeeded. */
                succeeded: number;
                /** @description How many of these requests `listRequests` does not have, because the service was overloaded. */
                unlisted: number;
            }[];
            /** @description The time zone of the days, for example `Asia/Manila`. */
            time_zone: string;
        };
        /**
         * Going-live check
         * @description One row of the going-live list, and what the service saw of it.
         */
        GoingLiveCheck: {
            /**
             * @description - `states`: you inquired records that were accepted, declined, expired and revoked.
             *     - `retry_after`: you repeated requests not before `Retry-After`.
             *     - `signatures`: your server refused an event with a wrong signature, and accepted one with the right signature.
             *     - `browser`: no browser sent your secrets since they were issued.
             *     - `sign_in_binding`: your sign-ins had `state` or a code challenge.
             *     - `rotation`: you rotated a secret and used the new one.
             *     - `errors`: you looked up the errors that you caused.
             * @enum {string}
             */
            check: "states" | "retry_after" | "signatures" | "browser" | "sign_in_binding" | "rotation" | "errors";
            /** @description What the service saw, and what to do next. */
            detail: string;
            /** @description How many times it saw the opposite. */
            faults: number;
            /**
             * @description - `passed`: the service saw it.
             *     - `failed`: the service saw the opposite.
             *     - `not_seen`: the service saw too little.
             *     - `not_used`: you do not use this part of the service.
             * @enum {string}
             */
            outcome: "passed" | "failed" | "not_seen" | "not_used";
            /** @description Requests that show it, the newest first. Of a check that failed, those that failed it. */
            request_ids: string[];
            /** @description How many times the service saw it. */
            seen: number;
        };
        /**
         * Going-live report
         * @description What the service saw of the partner's requests, by the going-live list.
         */
        GoingLiveReport: {
            /** @description Each check once. */
            checks: components["schemas"]["GoingLiveCheck"][];
            /** @description The version of the documents that the service has. */
            contract_version: string;
            /** @description Whether every check is `passed` or `not_used`, and the partner uses at least one of the two APIs. */
            is_ready: boolean;
            /** @description The code that the partner has, or will have, in the live service. */
            live_partner_code: components["schemas"]["PartnerCode"];
            partner_code: components["schemas"]["PartnerCode"];
            /**
             * @description The report itself, signed with a key of the service's audit (compact JWS). Claims: `iss`, `iat`, `jti` (the id
             *     of this request), `sub` (`partner_code`), `event` (`report.written`), and the other fields.
             */
            receipt: string;
            /**
             * Format: date-time
             * @description When the report was written.
             */
            written_at: string;
        };
        /**
         * Address allow-list
         * @description The IPv4 and IPv6 addresses and ranges (CIDR) from which the partner may send requests. An empty list allows
         *     any address.
         */
        IpAllowList: string[];
        /**
         * Member
         * @description A person who can sign in to the workbench for a partner.
         */
        Member: {
            /** @description The email address at the identity provider, in lower case. */
            email: string;
            /**
             * Format: date-time
             * @description When the person was invited.
             */
            invited_at: string;
            /** @description The identifier of the member. The audit names it. */
            member_id: string;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description When the person signed in for the last time. Null if never.
             */
            signed_in_at: string | null;
            /**
             * @description Whether the person has signed in yet, or is no longer a member. Only administrators of the service list members who
             *     were removed.
             * @enum {string}
             */
            status: "INVITED" | "ACTIVE" | "REMOVED";
        };
        /**
         * Member invitation
         * @description Who is invited to the workbench.
         */
        MemberInvitation: {
            /** @description The email address at the identity provider, in any case. */
            email: string;
            role: components["schemas"]["MemberRole"];
        };
        /**
         * Member role
         * @description What a member may do in the workbench:
         *
         *     - `viewer`: read.
         *     - `developer`: also what a developer needs from day to day, such as sending an event again.
         *     - `admin`: also change who is a member.
         * @enum {string}
         */
        MemberRole: "viewer" | "developer" | "admin";
        /**
         * Member session
         * @description The person of a session or a token, and the partner.
         */
        MemberSession: {
            /**
             * @description The value of the header `X-Csrf-Token` for every request of this session that changes something. Null for a
             *     token, which needs none.
             */
            csrf_token: string | null;
            /** @description The email address of the member. */
            email: string;
            /**
             * @description The environment of the service.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /**
             * Format: date-time
             * @description When the token or, at the latest, the session ends. Without requests a session ends after 15 minutes.
             */
            expires_at: string;
            /** @description The identifier of the member. */
            member_id: string;
            partner_code: components["schemas"]["PartnerCode"];
            partner_name: components["schemas"]["RegisteredName"];
            /** @description The partners for which the person can sign in, by name. */
            partners: {
                /** @description The legal name of the partner. */
                name: string;
                partner_code: components["schemas"]["PartnerCode"];
            }[];
            role: components["schemas"]["MemberRole"];
        };
        /**
         * Partner code
         * @description Identifies the partner. Chosen by the administrator.
         */
        PartnerCode: string;
        /**
         * Partner purpose
         * @description Why the partner asks. The citizen reads it. Control, bidirectional and invisible characters are not allowed,
         *     nor are spaces at either end.
         *     Its letters are of one script, or of Latin and an East Asian one, with at most two combining marks in a row.
         */
        PartnerPurpose: string;
        /**
         * Partner request
         * @description A request to the partner API, without personal data, codes and secrets.
         */
        PartnerRequest: {
            /** @description The IP address from which the request came. */
            address: string | null;
            /** @description The credential that authenticated the request. Null if none did. */
            credential_id: string | null;
            /** @description How long the request took. */
            duration_ms: number;
            /** @description The error code of the response. Null if the request succeeded, or has the status 499. */
            error: components["schemas"]["ErrorCode"] | null;
            /** @description The HTTP method. */
            method: string;
            /** @description The operationId. Null if the request was rejected before the service determined the operation. */
            operation: string | null;
            /**
             * Format: date-time
             * @description When the request arrived.
             */
            received_at: string;
            /** @description The header `X-Request-Id` of the response. */
            request_id: string;
            /** @description The HTTP status of the response. 499: the client closed the connection before it. */
            status: number;
        };
        /**
         * Partner settings
         * @description What a partner changes itself, and what citizens see of it.
         */
        PartnerSettings: {
            /** @description The changes that wait for an administrator, and then the newest others. */
            approvals: components["schemas"]["SettingsApproval"][];
            /** @description The URL that receives events. */
            callback_url: string | null;
            ip_allow_list: components["schemas"]["IpAllowList"];
            /** @description Where the partner publishes its public keys. */
            jwks_url: string | null;
            /** @description The public keys by which the partner signs in. */
            keys: components["schemas"]["PublicKey"][];
            /** @description The legal name that citizens see. */
            name: string;
            /** @description Whether a change that widens access waits for an administrator. */
            needs_approval: boolean;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description What a citizen shares who accepts a request of the profile. */
            profile_fields: string[];
            /** @description The purpose that citizens see, for a request of the profile. */
            purpose: string;
            /** @description What the partner may ask for by OpenID Connect, for each purpose. An administrator changes it. */
            purposes: components["schemas"]["SignInPurpose"][];
            /** @description Where the browser returns to after a sign-in by OpenID Connect. Null if the partner is not registered for it. */
            redirect_uris: string[] | null;
            /** @description The URL that receives exchange codes from the citizen app. */
            sso_url: string | null;
        };
        /**
         * Public key
         * @description A public key as a JWK (RFC 7517). A private key is refused.
         */
        PublicKey: {
            /** @description The algorithm. */
            alg?: string;
            /** @description The curve of the types EC and OKP. */
            crv?: string;
            /** @description Of the type RSA (base64url). */
            e?: string;
            /** @description The id of the key. */
            kid?: string;
            /**
             * @description The type of the key.
             * @enum {string}
             */
            kty: "EC" | "RSA" | "OKP";
            /** @description Of the type RSA (base64url). */
            n?: string;
            /**
             * @description The key checks signatures.
             * @constant
             */
            use?: "sig";
            /** @description Of the types EC and OKP (base64url). */
            x?: string;
            /** @description Of the type EC (base64url). */
            y?: string;
        };
        /**
         * Reason
         * @description Why the person does this, for example the number of a ticket. The audit keeps it, so write no personal data
         *     and no secret. Control, bidirectional and invisible characters are not allowed, nor are spaces at either end.
         */
        Reason: string;
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
         * Registered name
         * @description The legal name of the partner.
         */
        RegisteredName: string;
        /**
         * Settings approval
         * @description A change of the settings of a partner that an administrator decides.
         */
        SettingsApproval: {
            /** @description The id of the change. */
            approval_id: string;
            change: components["schemas"]["SettingsChange"];
            /**
             * Format: date-time
             * @description When it was decided, or became void.
             */
            decided_at: string | null;
            /**
             * @description The person who decided: the `sub` of an administrator, or a `member_id`. Null if it was not decided. A partner does
             *     not see the administrator.
             */
            decided_by: string | null;
            /** @description Why, in the words of the person who decided. */
            decision_reason: string | null;
            /**
             * Format: date-time
             * @description Until when it can be decided.
             */
            expires_at: string;
            /**
             * @description What is changed.
             * @constant
             */
            kind: "settings";
            partner_code: components["schemas"]["PartnerCode"];
            previous: components["schemas"]["SettingsChange"];
            /** @description Why, in the words of the person who asked. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the person asked.
             */
            requested_at: string;
            /** @description The `member_id` of the person who asked. */
            requested_by: string;
            status: components["schemas"]["ApprovalStatus"];
        };
        /**
         * Change of settings
         * @description The settings to change. Absent ones stay as they are.
         */
        SettingsChange: {
            /**
             * Format: uri
             * @description The URL that receives events. Null means no URL. Must be `https` (in the sandbox also `http` on a loopback
             *     address), of a public host or of one in a private network that the service allows. In a public sandbox, its own
             *     page sets it.
             */
            callback_url?: string | null;
            ip_allow_list?: components["schemas"]["IpAllowList"];
            /**
             * Format: uri
             * @description Where the partner publishes its public keys. In a public sandbox, only an administrator of the service sets it.
             */
            jwks_url?: string | null;
            /**
             * @description The public keys by which the partner signs in. Empty beside a `jwks_url`. Without both, the partner uses its
             *     secret.
             */
            keys?: components["schemas"]["PublicKey"][];
            /**
             * @description Where the browser returns to after a sign-in by OpenID Connect. An administrator registers the partner for that
             *     first.
             */
            redirect_uris?: string[];
            /**
             * Format: uri
             * @description The URL that receives exchange codes from the citizen app. Null means no URL. Must be `https` (in the
             *     sandbox also `http` on a loopback address).
             */
            sso_url?: string | null;
        };
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
         * Sign-in purpose
         * @description What a partner may ask for, and why.
         */
        SignInPurpose: {
            /** @description The items that the citizen cannot leave out, if the partner asks for them. */
            items: components["schemas"]["SignInItem"][];
            /** @description The least assurance of the citizen's token, one of `TIWALA_ACR_VALUES`. Null if any is enough. */
            minimum_acr: string | null;
            /**
             * @description The value of the parameter `purpose` in the authorization request of the partner. Without the parameter, the
             *     first purpose applies.
             */
            name: string;
            /** @description The items that the citizen can leave out. */
            optional_items: components["schemas"]["SignInItem"][];
            text: components["schemas"]["PartnerPurpose"];
        };
        /**
         * Tracking number
         * @description Identifies one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
        /**
         * Webhook secret
         * @description A new secret that signs the events to a partner.
         */
        WebhookSecret: {
            /**
             * Format: date-time
             * @description Until when the previous secret signs too. Null if it ended at once.
             */
            previous_until: string | null;
            /** @description The secret that verifies events. It is shown only once. */
            webhook_secret: string;
        };
    };
    responses: {
        /**
         * @description The member does not have the role `admin` (`role_not_granted`), or the `csrf_token` of the session is missing or
         *     wrong (`csrf_token_invalid`). Nothing was changed.
         */
        AdminRefused: {
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
                    error?: "role_not_granted" | "csrf_token_invalid";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The change was decided or withdrawn, has expired, or what it changes was changed since. Nothing was changed. */
        ApprovalNotPending: {
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
                    error?: "approval_not_pending";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /** @description The credentials. */
        CredentialList: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
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
                 *           "is_superseded": false,
                 *           "created_at": "2026-11-20T08:00:00.000Z",
                 *           "expires_at": "2027-11-20T08:00:00.000Z",
                 *           "revoked_at": null,
                 *           "last_used_on": "2026-11-21"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The credentials of the partner. */
                    credentials: components["schemas"]["Credential"][];
                };
            };
        };
        /** @description The `csrf_token` of the session is missing or wrong. Nothing was changed. */
        CsrfRefused: {
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
                    error?: "csrf_token_invalid";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description One page. */
        DeliveryPage: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
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
                 *           "partner_name": "Mabuhay Hotels Incorporated",
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
                    /** @description The deliveries on this page. */
                    deliveries: components["schemas"]["Delivery"][];
                    /** @description Send it as `cursor` to get the next page. Null on the last page. */
                    next_cursor: string | null;
                };
            };
        };
        /**
         * @description The member has the role `viewer` only (`role_not_granted`), or the `csrf_token` of the session is missing or wrong
         *     (`csrf_token_invalid`). Nothing was changed.
         */
        DeveloperRefused: {
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
                    error?: "role_not_granted" | "csrf_token_invalid";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The figures. */
        FiguresPage: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "partner_code": "HOTEL_MABUHAY",
                 *       "range": "day",
                 *       "time_zone": "Asia/Manila",
                 *       "steps": [
                 *         {
                 *           "starts_at": "2026-11-20T08:00:00.000Z",
                 *           "succeeded": 1240,
                 *           "refused": 31,
                 *           "failed": 0,
                 *           "closed": 2,
                 *           "unlisted": 0,
                 *           "deliveries": {
                 *             "delivered": 402,
                 *             "failed": 3,
                 *             "dead": 0
                 *           }
                 *         }
                 *       ],
                 *       "errors": [
                 *         {
                 *           "error": "qr_value_invalid",
                 *           "requests": 31
                 *         }
                 *       ],
                 *       "operations": [
                 *         {
                 *           "operation": "inquire",
                 *           "requests": 842,
                 *           "median_ms": 10,
                 *           "p95_ms": 25,
                 *           "p99_ms": 50
                 *         }
                 *       ],
                 *       "limits": [
                 *         {
                 *           "limit": "requests_per_minute",
                 *           "per_minute": 120,
                 *           "highest_percent": 64
                 *         }
                 *       ],
                 *       "quota": {
                 *         "per_day": 10000,
                 *         "days": [
                 *           {
                 *             "date": "2026-11-20",
                 *             "used": 2210
                 *           }
                 *         ]
                 *       },
                 *       "authorizations": {
                 *         "smallest_shown": 5,
                 *         "days": [
                 *           {
                 *             "date": "2026-11-19",
                 *             "asked": 412,
                 *             "cancelled": 2,
                 *             "accepted": 371,
                 *             "declined": 21,
                 *             "expired": 18
                 *           },
                 *           {
                 *             "date": "2026-11-20",
                 *             "asked": 104,
                 *             "cancelled": 0,
                 *             "accepted": null,
                 *             "declined": null,
                 *             "expired": null
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Figures"];
            };
        };
        /**
         * @description The service can read the request, but the request does not match the contract (`validation_failed`), and `errors`
         *     names the fields. Or the `Idempotency-Key` was sent with another request (`idempotency_key_reused`).
         */
        IdempotentRequestRefused: {
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
                    error?: "validation_failed" | "idempotency_key_reused";
                    /** @constant */
                    status?: 422;
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
        /** @description The partner has a member with this email address. Nothing was changed. */
        MemberExists: {
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
                    error?: "member_exists";
                    /** @constant */
                    status?: 409;
                };
            };
        };
        /** @description The members. */
        MemberList: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "members": [
                 *         {
                 *           "member_id": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                 *           "email": "dev@hotel.example",
                 *           "role": "developer",
                 *           "status": "ACTIVE",
                 *           "invited_at": "2026-11-20T08:00:00.000Z",
                 *           "signed_in_at": "2026-11-21T09:12:00.000Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The members, by email. */
                    members: components["schemas"]["Member"][];
                };
            };
        };
        /** @description The partner has no member with this `member_id`. */
        MemberNotFound: {
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
        /**
         * @description The browser has no session, or its session has ended (`session_required`). Or the token is expired or not valid, or is
         *     that of a person who is no member of an active partner.
         */
        MemberRefused: {
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
                    error?: "session_required" | "token_invalid" | "token_expired";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description The new credential and its secret. */
        NewCredential: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
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
                 *         "is_superseded": false,
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
                    /** @description The secret, shown only in this response. The service stores only a keyed hash of it. */
                    secret: string;
                };
            };
        };
        /** @description The new secret. */
        NewWebhookSecret: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "webhook_secret": "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg=",
                 *       "previous_until": "2026-11-27T08:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecret"];
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
        /** @description The partner has nothing with this id. It is unknown, or belongs to another partner. */
        OwnNotFound: {
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
        /**
         * @description No request of the partner has this `request_id`. It is unknown, belongs to another partner, was left out under
         *     overload, or is older than 30 days.
         */
        RequestNotFound: {
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
        /** @description One page. */
        RequestPage: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "requests": [
                 *         {
                 *           "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                 *           "received_at": "2026-11-20T08:00:12.345Z",
                 *           "method": "POST",
                 *           "operation": "generateToken",
                 *           "status": 422,
                 *           "error": "exchange_code_invalid",
                 *           "duration_ms": 7,
                 *           "credential_id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                 *           "address": "203.0.113.7"
                 *         }
                 *       ],
                 *       "next_cursor": null
                 *     }
                 */
                "application/json": {
                    /** @description Send it as `cursor` to get the next page. Null on the last page. */
                    next_cursor: string | null;
                    /** @description The requests on this page. */
                    requests: components["schemas"]["PartnerRequest"][];
                };
            };
        };
        /** @description The revoked credential. */
        RevokedCredential: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                 *       "kind": "secret_token",
                 *       "status": "REVOKED",
                 *       "is_superseded": false,
                 *       "created_at": "2026-11-20T08:00:00.000Z",
                 *       "expires_at": "2027-11-20T08:00:00.000Z",
                 *       "revoked_at": "2026-11-21T09:12:00.000Z",
                 *       "last_used_on": "2026-11-21"
                 *     }
                 */
                "application/json": components["schemas"]["Credential"];
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
         * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
         *     token needs none.
         * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
         */
        CsrfToken: string;
        /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
        Cursor: string;
        /**
         * @description A random text of your own, such as a UUID, for one change. If the connection breaks before the response arrives, send
         *     the same request with the same key: the response is the same, and nothing is done twice. Only the caller that sent
         *     the first request gets it, and only for 900 seconds. The key with another request is `422 idempotency_key_reused`.
         *     While the first request is in progress, the response may be `503 unavailable`. An error is not kept: the same key may
         *     then be sent again.
         * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` that you read, or several of them, or `*` (RFC 9110, section 13.1.1). If it has changed since, nothing is
         *     changed, and the response is `412 precondition_failed`. Without this header, the last of two changes counts.
         * @example "6d1f4c0b8a7e2953d0c4b1a698f37e52"
         */
        IfMatch: string;
        /** @description The maximum number of items on a page. */
        Limit: number;
        /**
         * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
         *     except to take up an invitation of another one.
         *     A session ignores it, since its partner was chosen at the sign-in.
         * @example HOTEL_MABUHAY
         */
        PartnerChoice: components["schemas"]["PartnerCode"];
        /** @description Why, for the audit. Write no personal data and no secret. */
        ReasonInQuery: components["schemas"]["Reason"];
        /**
         * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
         *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
         *     ignored, and a new trace begins. `tracestate` is ignored.
         * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
         */
        Traceparent: string;
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
    };
    pathItems: never;
}
export type ApprovalStatus = components['schemas']['ApprovalStatus'];
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type CheckName = components['schemas']['CheckName'];
export type Credential = components['schemas']['Credential'];
export type CredentialKind = components['schemas']['CredentialKind'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type DiagnosisCheck = components['schemas']['DiagnosisCheck'];
export type Endpoint = components['schemas']['Endpoint'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventType = components['schemas']['EventType'];
export type Figures = components['schemas']['Figures'];
export type GoingLiveCheck = components['schemas']['GoingLiveCheck'];
export type GoingLiveReport = components['schemas']['GoingLiveReport'];
export type IpAllowList = components['schemas']['IpAllowList'];
export type Member = components['schemas']['Member'];
export type MemberInvitation = components['schemas']['MemberInvitation'];
export type MemberRole = components['schemas']['MemberRole'];
export type MemberSession = components['schemas']['MemberSession'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type PartnerPurpose = components['schemas']['PartnerPurpose'];
export type PartnerRequest = components['schemas']['PartnerRequest'];
export type PartnerSettings = components['schemas']['PartnerSettings'];
export type PublicKey = components['schemas']['PublicKey'];
export type Reason = components['schemas']['Reason'];
export type RecordPage = components['schemas']['RecordPage'];
export type RecordSummary = components['schemas']['RecordSummary'];
export type RegisteredName = components['schemas']['RegisteredName'];
export type SettingsApproval = components['schemas']['SettingsApproval'];
export type SettingsChange = components['schemas']['SettingsChange'];
export type SignInItem = components['schemas']['SignInItem'];
export type SignInPurpose = components['schemas']['SignInPurpose'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type ResponseAdminRefused = components['responses']['AdminRefused'];
export type ResponseApprovalNotPending = components['responses']['ApprovalNotPending'];
export type ResponseCredentialList = components['responses']['CredentialList'];
export type ResponseCsrfRefused = components['responses']['CsrfRefused'];
export type ResponseDeliveryPage = components['responses']['DeliveryPage'];
export type ResponseDeveloperRefused = components['responses']['DeveloperRefused'];
export type ResponseFiguresPage = components['responses']['FiguresPage'];
export type ResponseIdempotentRequestRefused = components['responses']['IdempotentRequestRefused'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseMemberExists = components['responses']['MemberExists'];
export type ResponseMemberList = components['responses']['MemberList'];
export type ResponseMemberNotFound = components['responses']['MemberNotFound'];
export type ResponseMemberRefused = components['responses']['MemberRefused'];
export type ResponseNewCredential = components['responses']['NewCredential'];
export type ResponseNewWebhookSecret = components['responses']['NewWebhookSecret'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseOwnNotFound = components['responses']['OwnNotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseRequestNotFound = components['responses']['RequestNotFound'];
export type ResponseRequestPage = components['responses']['RequestPage'];
export type ResponseRevokedCredential = components['responses']['RevokedCredential'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ParameterCsrfToken = components['parameters']['CsrfToken'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterPartnerChoice = components['parameters']['PartnerChoice'];
export type ParameterReasonInQuery = components['parameters']['ReasonInQuery'];
export type ParameterTraceparent = components['parameters']['Traceparent'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLink = components['headers']['Link'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRetryAfterError = components['headers']['RetryAfterError'];
export type HeaderTraceparent = components['headers']['Traceparent'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listOwnCredentials: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CredentialList"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateOwnCredential: {
        parameters: {
            query?: {
                /** @description Why, for the audit. Write no personal data and no secret. */
                reason?: components["parameters"]["ReasonInQuery"];
            };
            header?: {
                /**
                 * @description A random text of your own, such as a UUID, for one change. If the connection breaks before the response arrives, send
                 *     the same request with the same key: the response is the same, and nothing is done twice. Only the caller that sent
                 *     the first request gets it, and only for 900 seconds. The key with another request is `422 idempotency_key_reused`.
                 *     While the first request is in progress, the response may be `503 unavailable`. An error is not kept: the same key may
                 *     then be sent again.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
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
                    /** @description How many days the previous secret still works. 7 is usual; use 0 if the secret has leaked. */
                    grace_days: number;
                    kind: components["schemas"]["CredentialKind"];
                };
            };
        };
        responses: {
            201: components["responses"]["NewCredential"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotentRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeOwnCredential: {
        parameters: {
            query?: {
                /** @description Why, for the audit. Write no personal data and no secret. */
                reason?: components["parameters"]["ReasonInQuery"];
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path: {
                /**
                 * @description The `id` of the credential.
                 * @example crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RevokedCredential"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            404: components["responses"]["OwnNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnDeliveries: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only events that happened at or after this time.
                 * @example 2026-11-20T08:00:00Z
                 */
                since?: string;
                /**
                 * @description Only deliveries with this status.
                 * @example DEAD
                 */
                status?: components["schemas"]["DeliveryStatus"];
                /**
                 * @description Only events about the record with this tracking number.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no?: components["schemas"]["TrackingNo"];
                /**
                 * @description Only events of this type.
                 * @example authorization.accepted
                 */
                type?: components["schemas"]["EventType"];
                /**
                 * @description Only events that happened before this time.
                 * @example 2026-11-20T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["DeliveryPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readDelivery: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
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
            /** @description The delivery. */
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
                     *       "delivery": {
                     *         "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "partner_name": "Mabuhay Hotels Incorporated",
                     *         "type": "authorization.accepted",
                     *         "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *         "occurred_at": "2026-11-20T08:00:12.000Z",
                     *         "status": "PENDING",
                     *         "attempts": 1,
                     *         "last_attempt_at": "2026-11-20T08:00:12.140Z",
                     *         "last_outcome": "HTTP 500",
                     *         "next_attempt_at": "2026-11-20T08:00:17.140Z",
                     *         "delivered_at": null
                     *       },
                     *       "attempts": [
                     *         {
                     *           "attempted_at": "2026-11-20T08:00:12.140Z",
                     *           "outcome": "HTTP 500",
                     *           "duration_ms": 128
                     *         }
                     *       ],
                     *       "body": "{\"type\":\"authorization.accepted\",\"timestamp\":\"2026-11-20T08:00:12.000Z\",\"data\":{\"tracking_no\":\"7M3K9QXV4T0HB2ZJ6WFE8RC5ND\",\"state\":\"ACCEPTED\",\"scope\":\"PROFILE_INQUIRE\"}}"
                     *     }
                     */
                    "application/json": {
                        /** @description The last 20 attempts, also those before a replay, the oldest first. */
                        attempts: components["schemas"]["DeliveryAttempt"][];
                        /** @description The body of the request, byte for byte, as the signature covers it. */
                        body: string;
                        delivery: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            404: components["responses"]["OwnNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readEndpoint: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
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
                     *       "callback_url": "https://hotel.example/tiwala/events",
                     *       "status": "DISABLED",
                     *       "disabled_at": "2026-11-20T08:00:12.000Z",
                     *       "dead_letters": 200,
                     *       "previous_secret_until": "2026-11-27T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableEndpoint: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
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
                     *       "callback_url": "https://hotel.example/tiwala/events",
                     *       "status": "ACTIVE",
                     *       "disabled_at": null,
                     *       "dead_letters": 200,
                     *       "previous_secret_until": "2026-11-27T08:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Endpoint"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["DeveloperRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testOwnCallback: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "authorization.accepted"
                 *     }
                 */
                "application/json": {
                    type: components["schemas"]["EventType"];
                };
            };
        };
        responses: {
            /** @description The pending delivery. */
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
                     *       "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "type": "authorization.accepted",
                     *       "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
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
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["DeveloperRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateOwnWebhookSecret: {
        parameters: {
            query?: {
                /** @description Why, for the audit. Write no personal data and no secret. */
                reason?: components["parameters"]["ReasonInQuery"];
            };
            header?: {
                /**
                 * @description A random text of your own, such as a UUID, for one change. If the connection breaks before the response arrives, send
                 *     the same request with the same key: the response is the same, and nothing is done twice. Only the caller that sent
                 *     the first request gets it, and only for 900 seconds. The key with another request is `422 idempotency_key_reused`.
                 *     While the first request is in progress, the response may be `503 unavailable`. An error is not kept: the same key may
                 *     then be sent again.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
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
                    /** @description How many days the previous secret still signs. 7 is usual; use 0 if the secret has leaked. */
                    grace_days: number;
                };
            };
        };
        responses: {
            200: components["responses"]["NewWebhookSecret"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotentRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readFigures: {
        parameters: {
            query?: {
                /**
                 * @description What `steps`, `errors`, `operations` and `limits` are about.
                 *
                 *     - `day`: the present hour and the 23 before it, by hour.
                 *     - `month`: today and the 29 before it, by day.
                 * @example day
                 */
                range?: "day" | "month";
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FiguresPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    writeGoingLiveReport: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "live_partner_code": "HOTEL_MABUHAY"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The code that the partner has, or will have, in the live service. An administrator accepts the report
                     *     for this partner only.
                     */
                    live_partner_code: components["schemas"]["PartnerCode"];
                };
            };
        };
        responses: {
            /** @description The report. */
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
                     *       "partner_code": "SBX_HOTEL",
                     *       "live_partner_code": "HOTEL_MABUHAY",
                     *       "written_at": "2026-11-20T08:00:12.000Z",
                     *       "contract_version": "0.7.0",
                     *       "is_ready": false,
                     *       "checks": [
                     *         {
                     *           "check": "states",
                     *           "outcome": "not_seen",
                     *           "seen": 3,
                     *           "faults": 0,
                     *           "request_ids": [
                     *             "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                     *           ],
                     *           "detail": "Inquired: ACCEPTED, DECLINED, EXPIRED. Inquire a record in each state: REVOKED."
                     *         },
                     *         {
                     *           "check": "retry_after",
                     *           "outcome": "passed",
                     *           "seen": 12,
                     *           "faults": 0,
                     *           "request_ids": [
                     *             "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                     *           ],
                     *           "detail": "Your newest 10 waits were as long as Retry-After says."
                     *         },
                     *         {
                     *           "check": "signatures",
                     *           "outcome": "passed",
                     *           "seen": 1,
                     *           "faults": 0,
                     *           "request_ids": [],
                     *           "detail": "Your server refused the wrong signature and accepted the right one."
                     *         },
                     *         {
                     *           "check": "browser",
                     *           "outcome": "passed",
                     *           "seen": 40,
                     *           "faults": 0,
                     *           "request_ids": [],
                     *           "detail": "No browser sent your secrets since they were issued."
                     *         },
                     *         {
                     *           "check": "sign_in_binding",
                     *           "outcome": "not_used",
                     *           "seen": 0,
                     *           "faults": 0,
                     *           "request_ids": [],
                     *           "detail": "No citizen has signed in."
                     *         },
                     *         {
                     *           "check": "rotation",
                     *           "outcome": "passed",
                     *           "seen": 1,
                     *           "faults": 0,
                     *           "request_ids": [],
                     *           "detail": "A rotated secret is in use."
                     *         },
                     *         {
                     *           "check": "errors",
                     *           "outcome": "passed",
                     *           "seen": 1,
                     *           "faults": 0,
                     *           "request_ids": [
                     *             "req_5Hb2pYJ7Qn0sVtXw8RkZc1"
                     *           ],
                     *           "detail": "Looked up: tracking_no_not_found."
                     *         }
                     *       ],
                     *       "receipt": "eyJhbGciOiJFZERTQSJ9.eyJldmVudCI6InJlcG9ydC53cml0dGVuIn0.c2lnbmF0dXJl"
                     *     }
                     */
                    "application/json": components["schemas"]["GoingLiveReport"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["DeveloperRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberList"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteMember: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "dev@hotel.example",
                 *       "role": "developer"
                 *     }
                 */
                "application/json": components["schemas"]["MemberInvitation"];
            };
        };
        responses: {
            /** @description The invited member. */
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
                     *       "member_id": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "email": "dev@hotel.example",
                     *       "role": "developer",
                     *       "status": "INVITED",
                     *       "invited_at": "2026-11-20T08:00:00.000Z",
                     *       "signed_in_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["MemberExists"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path: {
                /**
                 * @description The `member_id` of the member.
                 * @example mbr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The removed member. */
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
                     *       "member_id": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "email": "dev@hotel.example",
                     *       "role": "developer",
                     *       "status": "REMOVED",
                     *       "invited_at": "2026-11-20T08:00:00.000Z",
                     *       "signed_in_at": "2026-11-21T09:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            404: components["responses"]["MemberNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMember: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path: {
                /**
                 * @description The `member_id` of the member.
                 * @example mbr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "developer"
                 *     }
                 */
                "application/json": {
                    role: components["schemas"]["MemberRole"];
                };
            };
        };
        responses: {
            /** @description The changed member. */
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
                     *       "member_id": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "email": "dev@hotel.example",
                     *       "role": "developer",
                     *       "status": "ACTIVE",
                     *       "invited_at": "2026-11-20T08:00:00.000Z",
                     *       "signed_in_at": "2026-11-21T09:12:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            404: components["responses"]["MemberNotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayOwnRange: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "DEAD",
                 *       "since": "2026-11-20T08:00:00Z",
                 *       "until": "2026-11-20T12:00:00Z",
                 *       "limit": 500
                 *     }
                 */
                "application/json": {
                    /** @description The `next_cursor` of the request before. */
                    cursor?: string;
                    /** @description The maximum number of events to send again. */
                    limit: number;
                    /**
                     * Format: date-time
                     * @description Only events that happened at or after this time.
                     */
                    since?: string;
                    /**
                     * @description `DEAD`: what the service gave up. `DELIVERED`: what the partner confirmed and lost.
                     * @enum {string}
                     */
                    status: "DEAD" | "DELIVERED";
                    type?: components["schemas"]["EventType"];
                    /**
                     * Format: date-time
                     * @description Only events that happened before this time.
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description The number of events that are pending again. */
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
                     *       "replayed": 200,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Send it as `cursor` to continue. Null if no further event fits. */
                        next_cursor: string | null;
                        /** @description The number of events that are pending again. */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["DeveloperRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOwnRecords: {
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
                /**
                 * @description Only the record with this tracking number.
                 * @example 7M3K9QXV4T0HB2ZJ6WFE8RC5ND
                 */
                tracking_no?: components["schemas"]["TrackingNo"];
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
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
                     *       "records": [
                     *         {
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "scope": "PROFILE_INQUIRE",
                     *           "state": "PENDING",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "expires_at": "2026-11-20T08:05:00.000Z",
                     *           "accepted_at": null,
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RecordPage"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayOwnDeliveries: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_ids": [
                 *         "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description The `webhook-id` of each event. */
                    webhook_ids: string[];
                };
            };
        };
        responses: {
            /** @description The deliveries that are pending again. */
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
                     *       "deliveries": [
                     *         {
                     *           "webhook_id": "evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "type": "authorization.accepted",
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "occurred_at": "2026-11-20T08:00:12.000Z",
                     *           "status": "PENDING",
                     *           "attempts": 0,
                     *           "last_attempt_at": "2026-11-23T21:42:00.000Z",
                     *           "last_outcome": "HTTP 500",
                     *           "next_attempt_at": "2026-11-24T09:00:00.000Z",
                     *           "delivered_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The deliveries that are pending again, in no order. */
                        deliveries: components["schemas"]["Delivery"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["DeveloperRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only requests that got this error code.
                 * @example exchange_code_invalid
                 */
                error?: components["schemas"]["ErrorCode"];
                /**
                 * @description With `true`, only requests with a status from 400 on.
                 * @example true
                 */
                failed?: boolean;
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only requests of the operation with this operationId.
                 * @example generateToken
                 */
                operation?: string;
                /**
                 * @description Only requests from this time on.
                 * @example 2026-11-20T08:00:00Z
                 */
                since?: string;
                /**
                 * @description Only requests with this HTTP status, or, with `XX`, of this class.
                 * @example 4XX
                 */
                status?: string;
                /**
                 * @description Only requests before this time.
                 * @example 2026-11-20T09:00:00Z
                 */
                until?: string;
            };
            header?: {
                /**
                 * @description The trace that this request belongs to (W3C Trace Context). The service continues it: in its log, in
                 *     `traceparent` of the response, and in the events that the request causes. A value that is not valid is
                 *     ignored, and a new trace begins. `tracestate` is ignored.
                 * @example 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
                 */
                traceparent?: components["parameters"]["Traceparent"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RequestPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readRequest: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path: {
                /**
                 * @description The `request_id` of the error response, or the header `X-Request-Id` of any response.
                 * @example req_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
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
                     *       "request": {
                     *         "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *         "received_at": "2026-11-20T08:00:12.345Z",
                     *         "method": "POST",
                     *         "operation": "generateToken",
                     *         "status": 422,
                     *         "error": "exchange_code_invalid",
                     *         "duration_ms": 7,
                     *         "credential_id": "crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a",
                     *         "address": "203.0.113.7"
                     *       },
                     *       "diagnosis": {
                     *         "request_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *         "operation": "generateToken",
                     *         "occurred_at": "2026-11-20T08:00:12.345Z",
                     *         "status": 422,
                     *         "error": "exchange_code_invalid",
                     *         "checks": [
                     *           {
                     *             "check": "request",
                     *             "outcome": "passed",
                     *             "detail": null
                     *           },
                     *           {
                     *             "check": "exchange_code",
                     *             "outcome": "failed",
                     *             "detail": "used 12 s ago"
                     *           }
                     *         ]
                     *       },
                     *       "help_url": "https://tiwala.example/errors/exchange_code_invalid"
                     *     }
                     */
                    "application/json": {
                        /** @description Which check rejected the request. Null if there is no diagnosis. */
                        diagnosis: components["schemas"]["Diagnosis"] | null;
                        /** @description The page that explains the error code. Null if the request succeeded. */
                        help_url: string | null;
                        request: components["schemas"]["PartnerRequest"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            404: components["responses"]["RequestNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSession: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
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
                     *       "member_id": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "email": "dev@hotel.example",
                     *       "role": "developer",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "partners": [
                     *         {
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "name": "Mabuhay Hotels Incorporated"
                     *         }
                     *       ],
                     *       "environment": "sandbox",
                     *       "csrf_token": "0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345",
                     *       "expires_at": "2026-11-20T16:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MemberSession"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No session is left. */
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
                     *       "ended_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the session ended, or now.
                         */
                        ended_at: string;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["CsrfRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSettings: {
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
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
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
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "name": "Mabuhay Hotels Incorporated",
                     *       "purpose": "To register you as a guest, as the law asks of hotels.",
                     *       "callback_url": "https://hotel.example/tiwala/callback",
                     *       "sso_url": "https://hotel.example/signed-in",
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "redirect_uris": [
                     *         "https://hotel.example/signed-in"
                     *       ],
                     *       "keys": [],
                     *       "jwks_url": null,
                     *       "profile_fields": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "purposes": [
                     *         {
                     *           "name": "check-in",
                     *           "text": "To register you as a guest, as the law asks of hotels.",
                     *           "items": [
                     *             "given_name",
                     *             "family_name",
                     *             "birthdate",
                     *             "nationality"
                     *           ],
                     *           "optional_items": [
                     *             "email"
                     *           ],
                     *           "minimum_acr": null
                     *         }
                     *       ],
                     *       "needs_approval": true,
                     *       "approvals": [
                     *         {
                     *           "approval_id": "apr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "kind": "settings",
                     *           "status": "PENDING",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "reason": "Our new servers receive the events",
                     *           "change": {
                     *             "callback_url": "https://events.hotel.example/tiwala"
                     *           },
                     *           "previous": {
                     *             "callback_url": "https://hotel.example/tiwala/callback"
                     *           },
                     *           "expires_at": "2026-11-27T08:00:00.000Z",
                     *           "decided_by": null,
                     *           "decided_at": null,
                     *           "decision_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerSettings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: {
                /** @description Why, for the audit. Write no personal data and no secret. */
                reason?: components["parameters"]["ReasonInQuery"];
            };
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callback_url": "https://events.hotel.example/tiwala"
                 *     }
                 */
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description The settings. */
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
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "name": "Mabuhay Hotels Incorporated",
                     *       "purpose": "To register you as a guest, as the law asks of hotels.",
                     *       "callback_url": "https://hotel.example/tiwala/callback",
                     *       "sso_url": "https://hotel.example/signed-in",
                     *       "ip_allow_list": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "redirect_uris": [
                     *         "https://hotel.example/signed-in"
                     *       ],
                     *       "keys": [],
                     *       "jwks_url": null,
                     *       "profile_fields": [
                     *         "first_name",
                     *         "last_name",
                     *         "birth_date"
                     *       ],
                     *       "purposes": [
                     *         {
                     *           "name": "check-in",
                     *           "text": "To register you as a guest, as the law asks of hotels.",
                     *           "items": [
                     *             "given_name",
                     *             "family_name",
                     *             "birthdate",
                     *             "nationality"
                     *           ],
                     *           "optional_items": [
                     *             "email"
                     *           ],
                     *           "minimum_acr": null
                     *         }
                     *       ],
                     *       "needs_approval": true,
                     *       "approvals": [
                     *         {
                     *           "approval_id": "apr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "kind": "settings",
                     *           "status": "PENDING",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "reason": "Our new servers receive the events",
                     *           "change": {
                     *             "callback_url": "https://events.hotel.example/tiwala"
                     *           },
                     *           "previous": {
                     *             "callback_url": "https://hotel.example/tiwala/callback"
                     *           },
                     *           "expires_at": "2026-11-27T08:00:00.000Z",
                     *           "decided_by": null,
                     *           "decided_at": null,
                     *           "decision_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PartnerSettings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
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
    withdrawApproval: {
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
                /**
                 * @description The `csrf_token` of the session, which needs it: without it, another site could send the request from the browser. A
                 *     token needs none.
                 * @example 0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345
                 */
                "X-Csrf-Token"?: components["parameters"]["CsrfToken"];
                /**
                 * @description For a token only: the partner for which the person acts. A person who is a member of one active partner needs no choice,
                 *     except to take up an invitation of another one.
                 *     A session ignores it, since its partner was chosen at the sign-in.
                 * @example HOTEL_MABUHAY
                 */
                "X-Partner-Code"?: components["parameters"]["PartnerChoice"];
            };
            path: {
                /**
                 * @description The `approval_id` of the change.
                 * @example apr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawn change. */
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
                     *       "approval_id": "apr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "kind": "settings",
                     *       "status": "WITHDRAWN",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "reason": "Our new servers receive the events",
                     *       "change": {
                     *         "callback_url": "https://events.hotel.example/tiwala"
                     *       },
                     *       "previous": {
                     *         "callback_url": "https://hotel.example/tiwala/callback"
                     *       },
                     *       "expires_at": "2026-11-27T08:00:00.000Z",
                     *       "decided_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "decided_at": "2026-11-20T09:00:00.000Z",
                     *       "decision_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["SettingsApproval"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["MemberRefused"];
            403: components["responses"]["AdminRefused"];
            404: components["responses"]["OwnNotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["ApprovalNotPending"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
