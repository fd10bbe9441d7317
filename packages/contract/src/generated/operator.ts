// Generated from spec/ by `npm run generate`. Do not edit: change the document instead.
export interface paths {
    "/anomalies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List anomalies
         * @description List the behavior of partners that was unusual for them, newest first, one page at a time. The service compares each
         *     partner every five minutes with the same partner in the two weeks before. Needs `partners:read`.
         */
        get: operations["listAnomalies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anomalies/{anomaly_id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an anomaly
         * @description Say that an administrator knows of an anomaly. Its alarm ends, and its action `slow`. It stays open until the measure
         *     is usual again, and the service does nothing more for it. A partner that was suspended stays suspended (`resumePartner`).
         *     An anomaly that is acknowledged already stays as it is. Needs `partners:write`.
         */
        post: operations["acknowledgeAnomaly"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description List the changes that need a second person, newest first, one page at a time: those that wait, and those that were
         *     decided or have expired. Needs `approvals:read`.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an approval
         * @description Read a change that needs a second person. Needs `approvals:read`.
         */
        get: operations["readApproval"];
        put?: never;
        post?: never;
        /**
         * Withdraw an approval
         * @description Withdraw a change that you asked for and that still waits. Another person returns it. Needs no scope.
         */
        delete: operations["withdrawOwnApproval"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}/grant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant an approval
         * @description Make the change exactly as it was asked for. If what it changes was changed since, it is void, and nothing happens. The
         *     person who asked cannot grant it, by any token or session. A partner that asked reads the `reason`. Needs
         *     `approvals:write`, and for a change that an administrator asked for also the scope of that change: `citizens:erase`
         *     for an erasure, `partners:write` for the others. After an erasure, `readErasure` has the receipt.
         */
        post: operations["grantApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{approval_id}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Return an approval
         * @description Do not make the change. The person who asked reads the reason, and cannot return it: see `withdrawOwnApproval`. Needs
         *     `approvals:write`.
         */
        post: operations["returnApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit events
         * @description List audit events: what was done and by which actor, newest first, one page at a time. Contains no
         *     personal data. All pages together with the checkpoints are an export: with an export and the public keys,
         *     everything can be verified without the service. Events of archived months are returned with the filter
         *     `checkpoint` only: all other filters search the months that are not archived. Needs `audit:read`.
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
         * @description List the signed checkpoints of the audit, newest first, one page at a time. If you keep the newest
         *     checkpoint in another place, you can prove that nothing before it was changed or deleted. The cursor is the
         *     number of a checkpoint: the page has those before it. Needs `audit:read`.
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
         * @description Read one signed checkpoint of the audit. Needs `audit:read`.
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
         * List the audit keys
         * @description List the public keys that sign checkpoints, the current key first, and the number of the newest
         *     checkpoint. Needs `audit:read`.
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
    "/audit/months": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the months of the audit
         * @description List the months of the audit, the newest first, at most 120: which are in the database, which can be archived, and which
         *     are in the archive. `tiwala audit archive` on the machine of the service archives them: no operation can remove events
         *     from the database. Needs `audit:read`.
         */
        get: operations["listAuditMonths"];
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
         * @description Verify the next checkpoints: their chain, their signatures, their roots, and every event that they seal.
         *     Finds what was edited, deleted, added, reordered or swapped, and names the first place. Repeat the request
         *     with `next_checkpoint` until it is null. Needs `audit:read`.
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
         * @description Find the records with this tracking number, without personal data. A number is unique for each partner
         *     only, so the response can contain several records. Needs `authorizations:read`.
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
        /**
         * Read what is open of a citizen
         * @description Read what an administrator needs to answer a citizen: whether the service has the citizen, the preferences, the open
         *     requests, and the newest disclosures and disputes. Contains no data of the profile, and does not say which partners
         *     are blocked. Each request is in the audit (`citizen.read`) with its `reason`, also one for an unknown identifier. It
         *     is not in the history of the citizen, which has disclosures to partners. Erased and unknown citizens have the same
         *     response. Needs `citizens:read`.
         */
        get: operations["readCitizen"];
        /**
         * Create or replace a citizen
         * @description Create or replace a citizen. Needs `citizens:write`.
         */
        put: operations["upsertCitizen"];
        post?: never;
        /**
         * Erase a citizen
         * @description Erase a citizen: destroy the citizen's own key, so that the profile, the passport and every copy of them,
         *     also in records, can never be read again. QR values, exchange codes and tokens of the citizen stop working.
         *     The citizen's history stays in the audit, without the name.
         *
         *     You cannot undo an erasure. A later upsert creates a new citizen. The receipt is a JWS (RFC 7515, EdDSA)
         *     signed with the audit key. If the citizen is already erased, nothing changes and the response is the receipt of that
         *     erasure, which `readErasure` also returns. If `erasure` needs a second person, it waits, and `reason` is required. Needs
         *     `citizens:erase`.
         */
        delete: operations["eraseCitizen"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/citizens/{uniqid}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a receipt of erasure
         * @description Read the receipt of an erasure again: that of the newest one, if the citizen was written and erased several times.
         *     The claims are those of the first receipt; it is signed with the current audit key. The service finds it by a keyed
         *     hash of the identifier, as long as the key ring has the pepper of that time. Needs `citizens:erase`.
         */
        get: operations["readErasure"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description Create or replace many citizens at once. Each line of the body is one `CitizenRegistration` as JSON
         *     (NDJSON): at most 8 MiB in total, 64 KiB a line and 16 KiB of JSON a citizen. The body must arrive within 5 seconds: over a slow
         *     connection, send smaller bodies. Needs `citizens:write`.
         *
         *     - Correct lines are written. A wrong line is left out and reported by its number.
         *     - Blank lines are ignored, but count in the line numbers.
         *     - If the same `uniqid` occurs twice, the first line is written and the later line is reported.
         *     - Citizens that the response reports as created or replaced are stored. You can send the same file again.
         *     - At most 4 imports run at once. Beyond that, the response is `503`.
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
         * List deliveries
         * @description List the events to partners and the state of their delivery, newest first, one page at a time. Needs
         *     `deliveries:read`.
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
         * Replay a delivery
         * @description Send an event again, with the same `webhook-id`, starting over with the first attempt. Use this for events
         *     that the service gave up or that a partner lost. An event that is waiting for its next attempt is sent
         *     now. Needs `deliveries:write`.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay dead letters
         * @description Send the events again that the service gave up (`DEAD`), with the same `webhook-id`, starting over with the first
         *     attempt. The fields select events; an absent field selects all. Events that
         *     would be dead again at once stay: those of a partner without a callback URL, or whose server has answered `410`. Sends at most `limit` events, of each partner the oldest first.
         *     Repeat the request while `has_more` is true. The audit has one event for each request, with the number of events.
         *     Needs `deliveries:write`.
         */
        post: operations["replayDeadLetters"];
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
         * @description List the disclosures that citizens disputed ("this was not me"), newest first, one page at a time.
         *     Contains no personal data. Needs `disputes:read`.
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
    "/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the fleet
         * @description Which processes of the service run, with which version and which keys, and how far their tasks are: what an
         *     administrator looks at first after an alarm. Needs `fleet:read`.
         */
        get: operations["readFleet"];
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
         * List keys
         * @description List the keys of the key ring as this process knows them, how much data needs each key, and how many citizens
         *     `rewrapKeys` has yet to move. You can remove a key that no data needs and that no process uses for new data. Contains
         *     no keys themselves. Needs `keys:read`.
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
         * @description Move citizens to the current keys: wrap each citizen's own key with the current key-encryption key, and
         *     hash each identifier with the current pepper. Moves at most `limit` citizens. Repeat the request until
         *     `remaining` is `0`; then you can remove the old keys from the ring. The service works as usual in the
         *     meantime. Needs `keys:write`.
         */
        post: operations["rewrapKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List administrators
         * @description The administrators that the service has seen, the newest first, one page at a time: with which scopes they came.
         *     Your identity provider decides who may come, and knows those who never did. Needs `fleet:read`.
         */
        get: operations["listOperators"];
        put?: never;
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
        /**
         * List partners
         * @description List partners by code, one page at a time. Needs `partners:read`.
         */
        get: operations["listPartners"];
        put?: never;
        /**
         * Create a partner
         * @description Create a partner and its credentials. The secrets are shown only in this response. If the service
         *     goes live by report (`TIWALA_GOING_LIVE_KEYS_FILE`), the partner is `SUSPENDED` until its report is accepted and it is
         *     resumed. If `scope` needs a second person, the partner has no scope until `approval_id` is granted, and `reason` is
         *     required. Needs `partners:write` and `credentials:write`.
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
         * @description Read the current state of a partner. Needs `partners:read`.
         */
        get: operations["readPartner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a partner
         * @description Change the fields that the body contains; absent fields stay as they are (RFC 7396, in `limits` too). The body
         *     may also have the type `application/merge-patch+json`. The change applies from the next request on, within a
         *     second in every process. To change the URL that receives events, use `setCallback`. If `scope` needs a second person, a
         *     change with a further scope waits as a whole, and `reason` is required. Needs `partners:write`.
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
         * @description Set the URL that receives the partner's events from now on, including events that are waiting. Null means
         *     no URL. If the partner's server stopped the events with a `410`, new events are sent again; replay the
         *     events that were given up before. The `ETag` is that of `readPartner`. Needs `partners:write`.
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
         * @description List a partner's credentials, newest first, at most 100. Contains no secrets. Needs `partners:read`.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Rotate a credential
         * @description Issue a new secret of one kind. It is shown only in this response. The previous secret works until the grace
         *     period ends, or until it expires if that is earlier. At most two secrets of a kind are active: older ones
         *     end as if they were revoked. Needs `credentials:write`.
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
         * @description Revoke one credential of a partner. From now on the service rejects the secret, in every process within a
         *     second. The partner's other secrets stay valid. If the credential is already revoked, nothing changes.
         *     Needs `credentials:write`.
         */
        delete: operations["revokeCredential"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a partner's figures
         * @description Read what the partner sent and received, as counts: the figures that its people see in the workbench (`readFigures`).
         *     Small numbers of citizens are hidden here, too. Needs `partners:read`.
         */
        get: operations["readPartnerFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/going-live-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Decide about a report for going live
         * @description Accept or return the report that a partner wrote with `writeGoingLiveReport` where it tests. The service verifies that
         *     the report is for this partner, and its signature with the keys of `TIWALA_GOING_LIVE_KEYS_FILE`. A sandbox without
         *     this setting uses its own keys. A report with `is_ready` false can only be returned. The decision does not
         *     change `status`: after `ACCEPTED`, resume the partner. If `going_live` needs a second person, `ACCEPTED` waits, and
         *     `reason` is required. Needs `partners:write`.
         */
        put: operations["decideGoingLiveReport"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a partner's members
         * @description List the people who can sign in to the workbench for a partner, and those who were removed, at most 1000. The `actor` of an audit event of the workbench is
         *     a `member_id` of this list. Needs `partners:read`.
         */
        get: operations["listPartnerMembers"];
        put?: never;
        /**
         * Invite a partner's member
         * @description Invite a person of a partner to the workbench, usually its first administrator, who invites the others. The service
         *     sends no mail: the person signs in with this email address at the identity provider of the partners' staff. Needs
         *     `partners:write`.
         */
        post: operations["invitePartnerMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/request-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a partner's requests
         * @description List the requests that a partner sent to the partner API, newest first, one page at a time. A request without a
         *     valid secret counts for the partner that it names. A request is in the list about a second after its response, for
         *     30 days. Under overload, requests are left out of the list. The list contains no personal data, no code and no
         *     secret. Needs `partners:read`.
         */
        get: operations["listPartnerRequests"];
        put?: never;
        post?: never;
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
         * @description End the suspension of a partner. A partner whose `going_live` is neither null nor `ACCEPTED` stays suspended. If
         *     `resumption` needs a second person, it waits, and `reason` is required. Needs `partners:write`.
         */
        post: operations["resumePartner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/{partner_code}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a sign-in registration
         * @description Read how a partner signs citizens in by OpenID Connect. Needs `partners:read`.
         */
        get: operations["readSignInRegistration"];
        /**
         * Set a sign-in registration
         * @description Set how a partner signs citizens in by OpenID Connect: where the browser returns to, the keys, and the items that
         *     it may ask for, by purpose. It replaces the whole registration. Sign-ins that are open end if they need what is no
         *     longer granted. Needs `partners:write`.
         */
        put: operations["setSignInRegistration"];
        post?: never;
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
         * @description Suspend a partner: reject all its requests until the partner is resumed, in every process within a second.
         *     If `suspension` needs a second person, it waits, and `reason` is required. Needs `partners:write`.
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
         * @description Send the event `webhook.test` to the partner's callback URL. A moment later, the delivery shows the
         *     result. If the partner has no callback URL, the response is `422`. Needs `deliveries:write`.
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
         * @description Issue a new secret that signs the partner's events. It is shown only in this response. Until the grace
         *     period ends, events carry a signature of each of the two secrets. Needs `credentials:write`.
         */
        post: operations["rotateWebhookSecret"];
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
         * Read a partner's request
         * @description Read one request of a partner, and which of its checks failed. `diagnosis` is null if the request was not rejected,
         *     or if the service kept no diagnosis: it keeps one for 24 hours. Needs `partners:read`.
         */
        get: operations["readPartnerRequest"];
        put?: never;
        post?: never;
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
         * Complete a restore
         * @description Report that a backup was restored. Send this request after the restore and before you let callers in
         *     again. It raises the security epoch, so that the service rejects every QR value, exchange code and access
         *     token from before, used or not. What waits for a second person becomes `VOID`, since it may have been withdrawn or
         *     returned after the backup was made: ask again. Needs `restore:write`.
         */
        post: operations["completeRestore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/restore-replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a lost change again
         * @description Apply a change again that was made after the restored backup. The fields are those of its audit event.
         *     `tiwala restore-complete --replay` verifies an export of the audit and sends this request for each such
         *     change. Changes that take something away are applied again: a revoked or replaced secret, a suspended
         *     partner, a withdrawn consent, an erased citizen, frozen and blocked preferences. The only one that gives
         *     something back is a resumed partner. It is safe to send the request again. Needs `restore:write`,
         *     `partners:write`, `credentials:write` and `citizens:erase`.
         */
        post: operations["replayChange"];
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
         * Read your session
         * @description Who the administrator is, and with which scopes: of the session of a browser, or of the token. The console reads
         *     it first: a browser without a session gets `401`. Needs no scope.
         */
        get: operations["readOwnSession"];
        put?: never;
        post?: never;
        /**
         * End your session
         * @description End this session of a browser. Other sessions of the same person stay. For a token there is nothing to end: it
         *     is valid until it expires. Needs no scope.
         */
        delete: operations["endOwnSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what partners use
         * @description List what each partner used in the last year: operations, scopes, optional fields, media types and clients. So you know
         *     who depends on something before it ends. In the order of kind and name, one page at a time. A use is in the list some
         *     seconds after the response. Only requests that authenticate a partner count, and no sign-in by OpenID Connect. Needs
         *     `partners:read`.
         */
        get: operations["listUse"];
        put?: never;
        post?: never;
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
         * Administrator name
         * @description The name or the address of this administrator that the identity provider gave to a session. Null if the service knows
         *     none, and for a person of a partner.
         */
        AdministratorName: string | null;
        /**
         * Anomaly
         * @description Behavior of a partner that is unusual for this partner.
         */
        Anomaly: {
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledged_at: string | null;
            /** @description The `sub` of the administrator who acknowledged it. */
            acknowledged_by: string | null;
            acknowledged_by_name: components["schemas"]["AdministratorName"];
            /** @description Why, in the words of the administrator who acknowledged it. */
            acknowledged_reason: string | null;
            /**
             * @description What the service did when it began. Null: nothing.
             *
             *     - `slow`: a quarter of the limits per minute applies while the anomaly is open, until it is acknowledged.
             *     - `suspend`: the partner was suspended. It stays suspended until an administrator resumes it.
             * @enum {string|null}
             */
            action: "slow" | "suspend" | null;
            /** @description Of the kind `address`, some of the new ranges. Empty of other kinds. */
            address_ranges: string[];
            /** @description The id of the anomaly. */
            anomaly_id: string;
            /**
             * Format: date-time
             * @description When the service noticed it.
             */
            began_at: string;
            /**
             * Format: date-time
             * @description When the measure was usual again. Null while the anomaly is open.
             */
            ended_at: string | null;
            /** @description What is usual, when the anomaly began. The median of the same hour, or of the days, of two weeks. */
            expected: number;
            kind: components["schemas"]["AnomalyKind"];
            /** @description The highest measure while the anomaly was open. */
            observed: number;
            partner_code: components["schemas"]["PartnerCode"];
            partner_name: components["schemas"]["RegisteredName"];
            /** @description The least number that is an anomaly, when the anomaly began. */
            threshold: number;
        };
        /**
         * Anomaly kind
         * @description What is unusual for the partner. Of requests, only those with a valid secret count.
         *
         *     - `rate`: the requests of an hour.
         *     - `night`: the requests of an hour between 00:00 and 05:00.
         *     - `refusals`: the share of the requests of an hour that were refused, in percent.
         *     - `declines`: the share of the answers of citizens that were declined, in percent, by the hour of the request.
         *     - `disputes`: the disputes of 24 hours.
         *     - `address`: the ranges of addresses (/24, or /48 of IPv6) that sent requests in 24 hours, and in no day of the month before.
         * @enum {string}
         */
        AnomalyKind: "rate" | "night" | "refusals" | "declines" | "disputes" | "address";
        /**
         * Approval
         * @description A change that needs a second person.
         */
        Approval: {
            /** @description The id of the change. */
            approval_id: string;
            change: components["schemas"]["ApprovalChange"];
            /**
             * Format: date-time
             * @description When it was decided, or became void.
             */
            decided_at: string | null;
            /** @description The person who decided: the `sub` of an administrator, or a `member_id`. Null if it was not decided. */
            decided_by: string | null;
            decided_by_name: components["schemas"]["AdministratorName"];
            /** @description Why, in the words of the person who decided. */
            decision_reason: string | null;
            /**
             * Format: date-time
             * @description Until when it can be decided.
             */
            expires_at: string;
            kind: components["schemas"]["ApprovalKind"];
            /** @description The partner that is changed. Null for an erasure. */
            partner_code: components["schemas"]["PartnerCode"] | null;
            /** @description The legal name of the partner that is changed. Null for an erasure. */
            partner_name: components["schemas"]["RegisteredName"] | null;
            previous: components["schemas"]["ApprovalChange"];
            /** @description Why, in the words of the person who asked. */
            reason: string | null;
            /**
             * Format: date-time
             * @description When the person asked.
             */
            requested_at: string;
            /** @description The person who asked: the `sub` of an administrator, or the `member_id` of a person of a partner. */
            requested_by: string;
            requested_by_name: components["schemas"]["AdministratorName"];
            status: components["schemas"]["ApprovalStatus"];
            /**
             * @description The identifier of the citizen of an erasure, while it waits, for an administrator with the scope `citizens:erase`.
             *     Null otherwise.
             */
            uniqid: string | null;
        };
        /**
         * Approval change
         * @description What is changed, by the name of the field. `settings` has fields of `SettingsChange`, `scope` of `PartnerChange`,
         *     `suspension` and `resumption` have `status`, `going_live` has `going_live` and `report`, and `erasure` has `subject`.
         */
        ApprovalChange: {
            /** @description The URL that receives events. */
            callback_url?: string | null;
            /** @description The decision about the report for going live. The time and the person follow when it is granted. */
            going_live?: components["schemas"]["GoingLive"] | null;
            ip_allow_list?: components["schemas"]["IpAllowList"];
            /** @description Where the partner publishes its public keys. */
            jwks_url?: string | null;
            /** @description The public keys by which the partner signs in. */
            keys?: components["schemas"]["PublicKey"][];
            limits?: components["schemas"]["PartnerLimitsChange"];
            /** @description The legal name that citizens see. */
            name?: string;
            /** @description The purpose that citizens see. */
            purpose?: string;
            /** @description Where the browser returns to after a sign-in by OpenID Connect. */
            redirect_uris?: string[];
            /** @description The report for going live, a JWS. */
            report?: string;
            /** @description What the partner may do. */
            scopes?: components["schemas"]["Scope"][];
            /** @description The URL that receives exchange codes. */
            sso_url?: string | null;
            /**
             * @description Whether the partner may send requests.
             * @enum {string}
             */
            status?: "ACTIVE" | "SUSPENDED";
            /**
             * Format: uuid
             * @description The random id of the citizen, as in the receipt of the erasure and in the audit.
             */
            subject?: string;
        };
        /**
         * Approval kind
         * @description What needs a second person (`TIWALA_SECOND_PERSON`):
         *
         *     - `settings`: a person of a partner changes its settings (`changeSettings`), and the change widens access.
         *     - `suspension`: `suspendPartner`.
         *     - `resumption`: `resumePartner`.
         *     - `scope`: `changePartner` with a further scope, or `createPartner` with scopes.
         *     - `going_live`: `decideGoingLiveReport` with `ACCEPTED`.
         *     - `erasure`: `eraseCitizen`.
         * @enum {string}
         */
        ApprovalKind: "settings" | "suspension" | "resumption" | "scope" | "going_live" | "erasure";
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
         * Audit event
         * @description One audit event: what was done, and by which actor. Contains no personal data. The event is shown as it is
         *     stored, even if it was tampered with.
         */
        AuditEvent: {
            /** @description The administrator who caused the event (`sub` of the token). Null for a partner or a citizen. */
            actor: string | null;
            /**
             * @description More about the event, for example the names of the changed fields. Four kinds have a fixed form:
             *
             *     - `credential.revoked`: the id of the credential.
             *     - `credential.rotated`: the kind and the id of the new credential, then the older ones and their new end:
             *       `secret_token crd_... replaces crd_... until 2026-01-31T12:00:00.000Z`. `replaces none`: there was none.
             *     - `citizen.erased`: the subject of the citizen, as in the receipt.
             *     - `preferences.changed`: the subject of the citizen, then what changed:
             *       `<subject>: frozen, blocked BANK_A BANK_B, unblocked HOTEL_C`. Null if nothing changed.
             */
            detail: string | null;
            /** @description Greater than 0, unless it was tampered with. */
            id: number;
            /** @description The kind of event, for example `profile.disclosed` or `partner.suspended`. */
            kind: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            occurred_at: string;
            partner_code: components["schemas"]["PartnerCode"] | null;
            /** @description The reason that the administrator gave. Null if there is none. */
            reason: string | null;
            /** @description The id of the request that caused the event, or `expiry` if a time limit caused it. */
            request_id: string;
            /** @description Where the event is sealed. Null for about a second after the event. */
            seal: {
                /** @description The number of the checkpoint that seals the event. */
                checkpoint: number;
                /**
                 * @description The sealed text. The root of a checkpoint can be computed again from all its leaves. In the
                 *     leaf, `ids_hash` stands for the ids that are not shown.
                 */
                leaf: string;
                /** @description The position in the tree of the checkpoint, counted from 0. */
                position: number;
            } | null;
            /** @description The tracking number of the record. Null if the event is not about a record. */
            tracking_no: string | null;
        };
        /**
         * Audit fault
         * @description The first place where the audit differs from what was sealed.
         */
        AuditFault: {
            /** @description The number of the checkpoint at the fault. */
            checkpoint: number;
            /** @description The `id` of the event. The id of a tampered event can be negative. Null if the id is beyond these bounds. */
            event: number | null;
            /** @description The position in the tree of the checkpoint. Null if the checkpoint itself is at fault. */
            position: number | null;
            /**
             * @description What is wrong:
             *
             *     - `checkpoint_missing`: the checkpoint is missing.
             *     - `checkpoint_altered`: the content of the checkpoint does not match its number.
             *     - `key_unknown`: the key ring lacks the key that signed.
             *     - `signature_invalid`: the signature does not match.
             *     - `chain_broken`: the checkpoint does not follow the previous one.
             *     - `leaf_missing`, `leaf_added`: a leaf is missing, or was added.
             *     - `event_missing`: an event was deleted.
             *     - `event_altered`: an event was changed.
             *     - `event_added`: an event is among the sealed events but was never sealed.
             *     - `event_misdated`: the time of an event is an hour or more before older events, or after it was sealed.
             *     - `order_altered`: the order of the events was changed.
             *     - `root_altered`: events and leaves match each other, but not the root.
             *     - `history_altered`: the index of the histories in an archived month was changed.
             * @enum {string}
             */
            what: "checkpoint_missing" | "checkpoint_altered" | "key_unknown" | "signature_invalid" | "chain_broken" | "leaf_missing" | "leaf_added" | "event_missing" | "event_altered" | "event_added" | "event_misdated" | "order_altered" | "root_altered" | "history_altered";
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
         * Audit kind
         * @description The kind of event, for example `profile.disclosed` or `partner.suspended`.
         */
        AuditKind: string;
        /**
         * Month of the audit
         * @description A month of the audit (UTC), and where its events are.
         */
        AuditMonth: {
            /**
             * Format: date-time
             * @description When it was archived. Null if it is not.
             */
            archived_at: string | null;
            /** @description The bytes that it takes in the database, with its indexes. Null if it is archived. */
            bytes: number | null;
            /** @description The number of its events. Of a month in the database, the last estimate of PostgreSQL, or null if there is none yet. */
            events: number | null;
            /** @description The first checkpoint whose events are in its files. Null if it is not archived, or has no event. */
            first_checkpoint: number | null;
            /** @description The last checkpoint whose events are in its files. Null if it is not archived, or has no event. */
            last_checkpoint: number | null;
            /**
             * @description The month of its last event, which is the `--until` of the command that archives it. Null for `past`,
             *     unless it is closed.
             */
            month: string | null;
            /**
             * @description The name of its folder in the archive, such as `202611`. `past` has the events of an earlier version of the service, of
             *     several months.
             */
            name: string;
            /**
             * @description `OPEN`: in the database, and not over for a day. `CLOSED`: in the database, and can be archived. `ARCHIVED`: in the
             *     files of the archive.
             * @enum {string}
             */
            status: "OPEN" | "CLOSED" | "ARCHIVED";
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
         * Citizen registration
         * @description The data of one citizen in the registry.
         */
        CitizenRegistration: {
            /**
             * @description The passport, or null if the citizen has none. Its dates exist: `birth_date` from 1850 to today,
             *     `expiry_date` from 1950 to 50 years ahead.
             */
            passport: (components["schemas"]["Passport"] & {
                first_name?: components["schemas"]["PersonText"];
                gender?: components["schemas"]["PersonText"];
                last_name?: components["schemas"]["PersonText"];
                middle_name?: components["schemas"]["PersonText"];
                passport_number?: components["schemas"]["PersonText"];
                place_issued?: components["schemas"]["PersonText"];
                suffix?: components["schemas"]["PersonText"];
            }) | null;
            /**
             * @description The profile, as single sign-on and the partner profile API give it to partners. A text that is not known
             *     is the empty string.
             *
             *     - `uniqid`: the same as in the path.
             *     - `birth_date`: a date that exists, from 1850 to today. If the registry knows only the year, or the year
             *       and the month, it sends `01` for the rest.
             *     - `photo`: an `https` URL of a public host (in the sandbox also `http` on a loopback address), with the characters
             *       of RFC 3986.
             *     - `postal`: digits, or null. A foreign postal code stands in `foreign_address`.
             */
            profile: components["schemas"]["Profile"] & {
                address?: components["schemas"]["PersonText"];
                address_line_2?: components["schemas"]["PersonText"];
                barangay?: components["schemas"]["PersonText"];
                country?: components["schemas"]["PersonText"];
                email?: components["schemas"]["PersonText"];
                first_name?: components["schemas"]["PersonText"];
                foreign_address?: components["schemas"]["PersonTextOrNull"];
                gender?: components["schemas"]["PersonText"];
                last_name?: components["schemas"]["PersonText"];
                middle_name?: components["schemas"]["PersonTextOrNull"];
                municipality?: components["schemas"]["PersonText"];
                nationality?: components["schemas"]["PersonText"];
                photo?: components["schemas"]["PersonText"];
                postal?: string | null;
                province?: components["schemas"]["PersonText"];
                region?: components["schemas"]["PersonText"];
                street?: components["schemas"]["PersonText"];
                suffix?: components["schemas"]["PersonTextOrNull"];
                uniqid?: components["schemas"]["Uniqid"];
            };
        };
        /**
         * Citizen summary
         * @description What is open of a citizen, and what partners got. Contains no data of the profile.
         */
        CitizenSummary: {
            /** @description How many partners the citizen has blocked. */
            blocked_partners: number;
            /**
             * Format: date-time
             * @description When an administrator last wrote the citizen. Null if the database has no such event, since it is in the archive.
             */
            changed_at: string | null;
            /** @description The newest disclosures of the citizen's data, without the data and its fields. */
            disclosures: {
                /**
                 * Format: date-time
                 * @description When the partner got the data.
                 */
                disclosed_at: string;
                /**
                 * Format: date-time
                 * @description When the citizen disputed the disclosure. Null if it is not disputed.
                 */
                disputed_at: string | null;
                /** @description The id of the partner's request. */
                id: string;
                partner: components["schemas"]["PartnerName"];
                /** @description The tracking number of the authorization. Null for a sign-in. */
                tracking_no: components["schemas"]["TrackingNo"] | null;
                /**
                 * @description How the partner got the data: by inquiry, by a QR value made for sharing, or by single sign-on.
                 * @enum {string}
                 */
                way: "INQUIRE" | "QR" | "SSO";
            }[];
            /** @description The newest disputes of the citizen. A dispute has no end. */
            disputes: components["schemas"]["Dispute"][];
            /** @description Whether the citizen has forbidden every disclosure and every request. */
            frozen: boolean;
            /** @description The newest requests that wait for an answer of the citizen. */
            open_requests: {
                /**
                 * Format: date-time
                 * @description Until when the citizen can answer.
                 */
                expires_at: string;
                partner_code: components["schemas"]["PartnerCode"];
                partner_name: components["schemas"]["RegisteredName"];
                /**
                 * Format: date-time
                 * @description When the partner requested authorization.
                 */
                requested_at: string;
                state: components["schemas"]["AuthorizationState"];
                tracking_no: components["schemas"]["TrackingNo"];
            }[];
        };
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
         * Dispute
         * @description A disclosure that the citizen disputed ("this was not me").
         */
        Dispute: {
            /**
             * Format: date-time
             * @description When the partner got the data.
             */
            disclosed_at: string;
            /** @description The id of the partner's request. */
            disclosure_id: string;
            /**
             * Format: date-time
             * @description When the citizen disputed the disclosure.
             */
            disputed_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            partner_name: components["schemas"]["RegisteredName"];
            tracking_no: components["schemas"]["TrackingNo"] | null;
            /**
             * @description How the partner got the data: by inquiry, by a QR value made for sharing, or by single sign-on.
             * @enum {string}
             */
            way: "INQUIRE" | "QR" | "SSO";
        };
        /**
         * Erasure receipt
         * @description The receipt of the erasure of one citizen.
         */
        ErasureReceipt: {
            /**
             * Format: date-time
             * @description When the citizen was erased.
             */
            erased_at: string;
            /**
             * @description A signed statement of the erasure (compact JWS). Claims: `iss`, `iat`, `jti` (the id of this request),
             *     `sub` (the subject), `event` (`citizen.erased`).
             */
            receipt: string;
            /**
             * Format: uuid
             * @description The internal id of the citizen. Even before the erasure it identified no person.
             */
            subject: string;
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
         * Fleet
         * @description The processes of the service, and how far each of their tasks is.
         */
        Fleet: {
            /** @description For how many months ahead the audit has its partition. */
            audit_months_ahead: number;
            /**
             * @description The files of `TIWALA_BACKUP_FILES`, such as the newest backup and the export of the audit. `wal`: the log of
             *     PostgreSQL, if it archives it.
             */
            backups: {
                /** @description Its age. Null if the process that answers cannot see the file. */
                age_seconds: number | null;
                /** @description The name in the setting. */
                name: string;
            }[];
            /** @description The connections of all processes on all machines to PostgreSQL. Empty for the embedded database. */
            connections: {
                /** @description How many there are. */
                count: number;
                /** @description What the connections are for. */
                purpose: string;
            }[];
            /** @description The events to partners that are not delivered. */
            deliveries: {
                /** @description How many were given up. At most 100,000 are counted. */
                dead: number;
                /** @description The age of the oldest that waits. 0 if none waits. */
                oldest_pending_seconds: number;
                /** @description How many wait. At most 100,000 are counted. */
                pending: number;
            };
            /**
             * @description How many connections PostgreSQL allows, those of other programs included: without those that it reserves, and within the
             *     limits of the role and of the database. Null for the embedded database.
             */
            max_connections: number | null;
            /** @description Those that run, and those that crashed within a day, the newest first. */
            processes: components["schemas"]["FleetProcess"][];
            /** @description For how many days ahead records have their partition. */
            record_days_ahead: number;
            /** @description The newest migration that was applied to the database. */
            schema: string;
            /** @description Settings of PostgreSQL with which a crash would lose acknowledged writes. */
            unsafe_settings: string[];
            /** @description The age of the oldest audit event that no checkpoint seals yet. 0 if all are sealed. */
            unsealed_seconds: number;
        };
        /**
         * Process
         * @description A process of the service.
         */
        FleetProcess: {
            /** @description The version of the documents. */
            contract: string;
            /**
             * Format: date-time
             * @description When one of its periodic tasks last failed. It is tried again.
             */
            housekeeping_failed_at: string | null;
            /**
             * Format: date-time
             * @description When one of its periodic tasks last ended well.
             */
            housekept_at: string | null;
            /**
             * @description Whether it wrote so within half a minute. A process that stops normally is not listed any more; one that crashed is,
             *     for a day.
             */
            is_running: boolean;
            /** @description The keys of its key ring, without the keys themselves. */
            keys: {
                /** @description Whether the process uses this key for new data. */
                is_current: boolean;
                /** @description The id of the key. */
                kid: string;
                /** @description What the process uses the key for. */
                purpose: string;
            }[];
            /** @description The version of Node. */
            node: string;
            /** @description Random, made at its start. */
            process_id: string;
            /** @description The newest migration that it knows. It runs on a database that has more. */
            schema: string;
            /**
             * Format: date-time
             * @description When it last wrote that it runs.
             */
            seen_at: string;
            /**
             * Format: date-time
             * @description When it started.
             */
            started_at: string;
            /** @description The version of the service. */
            version: string;
        };
        /**
         * Going live
         * @description The decision about the report of a partner for going live.
         */
        GoingLive: {
            /**
             * Format: date-time
             * @description When it was decided about. Null if it was not.
             */
            decided_at: string | null;
            /** @description The administrator who decided (`sub` of the token). Null if none has decided. */
            decided_by: string | null;
            /**
             * @description The name or the address of this administrator that the identity provider gave to a session. Present only if the
             *     service knows it, in the response of `readPartner`.
             */
            decided_by_name?: string;
            /** @description The reason that the administrator gave. Null if there is none. */
            reason: string | null;
            /** @description The id of the report (`jti`). Null if none was decided about. */
            report_id: string | null;
            /**
             * @description `WAITING`: no report was decided about. A partner that is suspended can be resumed with `ACCEPTED` only.
             * @enum {string}
             */
            status: "WAITING" | "ACCEPTED" | "RETURNED";
            /**
             * Format: date-time
             * @description When the report was written. Null if none was decided about.
             */
            written_at: string | null;
        };
        /**
         * Import report
         * @description The result of an import. Every line that is not blank counts once: as `created`, `replaced` or `rejected`.
         */
        ImportReport: {
            /** @description The number of citizens that did not exist before. */
            created: number;
            /** @description The first 1,000 rejected lines, in order. */
            errors: components["schemas"]["LineFault"][];
            /** @description The number of lines that were left out. */
            rejected: number;
            /** @description The number of citizens that were replaced. */
            replaced: number;
        };
        /**
         * Address allow-list
         * @description The IPv4 and IPv6 addresses and ranges (CIDR) from which the partner may send requests. An empty list allows
         *     any address.
         */
        IpAllowList: string[];
        /**
         * Key
         * @description A key of the key ring, without the key itself.
         */
        Key: {
            /**
             * Format: date-time
             * @description When the key becomes the current key.
             */
            active_from: string | null;
            /**
             * @description How many stored items need the key. An erased citizen needs a pepper for ever, because the identifier that
             *     finds the receipt cannot be hashed again. Null if this is not counted: access tokens live 300 seconds,
             *     signatures last forever.
             */
            in_use: number | null;
            /** @description Whether the service uses this key for new data. */
            is_current: boolean;
            /** @description The id of the key. */
            kid: string;
            /** @description What the service uses the key for. */
            purpose: string;
        };
        /**
         * Line fault
         * @description What is wrong with one line of an import.
         */
        LineFault: {
            /** @description For each wrong field, what is wrong with it. The key `line` says what is wrong with the line as a whole. */
            errors: {
                [key: string]: string[];
            };
            /** @description The number of the line, counted from 1. */
            line: number;
        };
        /**
         * Lost change
         * @description A change that is in the audit but not in the restored backup. The fields are those of its audit event. Leave
         *     out the fields that are null in the event.
         */
        LostChange: {
            /**
             * @description The text of the audit event. `credential.revoked`, `credential.rotated`, `citizen.erased` and
             *     `preferences.changed` need it. What citizens have unfrozen or unblocked is ignored.
             */
            detail?: string;
            /**
             * @description The kind of the audit event. `webhook_secret.rotated` ends the restored webhook secret.
             * @enum {string}
             */
            kind: "credential.revoked" | "credential.rotated" | "webhook_secret.rotated" | "partner.suspended" | "partner.resumed" | "authorization.revoked" | "citizen.erased" | "preferences.changed";
            /**
             * Format: date-time
             * @description When the change was made, which is not in the future. A later change of the same thing stays.
             */
            occurred_at: string;
            partner_code?: components["schemas"]["PartnerCode"];
            tracking_no?: components["schemas"]["TrackingNo"];
        };
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
         * Administrator
         * @description An administrator that the service has seen.
         */
        Operator: {
            /**
             * Format: date-time
             * @description When the administrator first came.
             */
            first_seen_at: string;
            /** @description The name or the address that the identity provider gave to a session. Null if only tokens came. */
            name: string | null;
            /** @description The scopes of the newest token or session, as they were within an hour of `seen_at`. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When the administrator last came, to the hour.
             */
            seen_at: string;
            /** @description The `sub` of the administrator, as in the audit. */
            subject: string;
        };
        /**
         * Operator session
         * @description An administrator, by the session of a browser or by a token.
         */
        OperatorSession: {
            /**
             * @description The value of the header `X-Csrf-Token` for every request of this session that changes something. Null for a
             *     token, which needs none.
             */
            csrf_token: string | null;
            /**
             * @description The environment of the service.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /**
             * Format: date-time
             * @description When the session or the token ends at the latest. A session ends after 15 minutes without a request, too.
             */
            expires_at: string;
            /** @description The email address or the user name, from the identity provider at the sign-in. Null for a token. */
            name: string | null;
            /** @description What the administrator may do, by name. */
            scopes: string[];
            /** @description The `sub` of the identity provider. It is the `actor` in the audit. */
            subject: string;
        };
        /**
         * Partner
         * @description A registered partner.
         */
        Partner: {
            /** @description The URL that receives events. */
            callback_url: string | null;
            /**
             * Format: date-time
             * @description When the partner was created.
             */
            created_at: string;
            /** @description Whether its report for going live is accepted. Null if the partner needs none. */
            going_live: components["schemas"]["GoingLive"] | null;
            ip_allow_list: components["schemas"]["IpAllowList"];
            limits: components["schemas"]["PartnerLimits"];
            /** @description The legal name of the partner. The citizen reads it. */
            name: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description Why the partner asks. The citizen reads it. */
            purpose: string;
            /** @description What the partner may do. */
            scopes: components["schemas"]["Scope"][];
            /**
             * @description A warning: partners, also suspended ones, whose names a citizen could take for this one, at most 10. Present only
             *     if the request set the name or resumed the partner, and there are such partners.
             */
            similar_partners?: components["schemas"]["PartnerCode"][];
            /** @description The URL that receives exchange codes from the citizen app. */
            sso_url: string | null;
            /**
             * @description Whether the partner may send requests. The service rejects a `SUSPENDED` partner.
             * @enum {string}
             */
            status: "ACTIVE" | "SUSPENDED";
        };
        /**
         * Change of a partner
         * @description The fields to change. Absent fields stay as they are.
         */
        PartnerChange: {
            ip_allow_list?: components["schemas"]["IpAllowList"];
            limits?: components["schemas"]["PartnerLimitsChange"];
            name?: components["schemas"]["PartnerLegalName"];
            purpose?: components["schemas"]["PartnerPurpose"];
            /** @description What the partner may do. In force at once. */
            scopes?: components["schemas"]["Scope"][];
            /**
             * Format: uri
             * @description The URL that receives exchange codes from the citizen app. Null means no URL. Must be `https` (in the
             *     sandbox also `http` on a loopback address). The service appends `exchange_code` and `state`, and leaves the
             *     rest as it is.
             */
            sso_url?: string | null;
        };
        /**
         * Partner code
         * @description Identifies the partner. Chosen by the administrator.
         */
        PartnerCode: string;
        /**
         * Partner credentials
         * @description The credentials of a partner. The secrets are shown only once. The service stores only a keyed hash of them.
         */
        PartnerCredentials: {
            /**
             * Format: date-time
             * @description When `secret_token` and `partner_secret` expire.
             */
            expires_at: string;
            partner_code: components["schemas"]["PartnerCode"];
            /** @description The secret for the body of `generateToken`. */
            partner_secret: string;
            /** @description The value of the header `X-Secret-Code`. */
            secret_code: string;
            /** @description The value of the header `X-Secret-Token`. */
            secret_token: string;
            /** @description Verifies the events sent to `callback_url`. */
            webhook_secret: string;
        };
        /**
         * Partner legal name
         * @description The legal name of the partner. The citizen reads it. Control, bidirectional and invisible characters are not
         *     allowed, nor are spaces at either end.
         *     Its letters are of one script, or of Latin and an East Asian one, with at most two combining marks in a row.
         */
        PartnerLegalName: string;
        /**
         * Partner limits
         * @description The partner's own limits. Null means that the setting of the service applies.
         */
        PartnerLimits: {
            /** @description The daily quota: how many profiles and sign-ins the partner can start in a day (`requestAuthorization`, `profileByQr`, `generateToken` and the token endpoint of OpenID Connect together). Null means no quota. */
            per_day: number | null;
            /** @description The requests per minute of `requestAuthorization`. */
            requests_per_minute: number | null;
            /** @description The requests per minute of `authenticate`. */
            sign_ins_per_minute: number | null;
            /** @description The requests per minute of `generateToken`. */
            tokens_per_minute: number | null;
            /** @description The requests per minute of `profileByQr`. */
            views_per_minute: number | null;
        };
        /**
         * Change of a partner's limits
         * @description Limits of the partner. Absent fields stay as they are; at first, all are null. Null means that the setting of
         *     the service applies; for `per_day`, null means no quota.
         */
        PartnerLimitsChange: {
            /** @description The daily quota: how many profiles and sign-ins the partner can start in a day (`requestAuthorization`, `profileByQr`, `generateToken` and the token endpoint of OpenID Connect together). Null means no quota. */
            per_day?: number | null;
            /** @description The requests per minute of `requestAuthorization`. */
            requests_per_minute?: number | null;
            /** @description The requests per minute of `authenticate`. */
            sign_ins_per_minute?: number | null;
            /** @description The requests per minute of `generateToken`. */
            tokens_per_minute?: number | null;
            /** @description The requests per minute of `profileByQr`. */
            views_per_minute?: number | null;
        };
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
         * Partner purpose
         * @description Why the partner asks. The citizen reads it. Control, bidirectional and invisible characters are not allowed,
         *     nor are spaces at either end.
         *     Its letters are of one script, or of Latin and an East Asian one, with at most two combining marks in a row.
         */
        PartnerPurpose: string;
        /**
         * Partner registration
         * @description A new partner.
         */
        PartnerRegistration: {
            /**
             * Format: uri
             * @description The URL that receives events. Must be `https` (in the sandbox also `http` on a loopback address), of a public
             *     host or of one in a private network that the service allows (`TIWALA_CALLBACK_NETWORKS`).
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
             * @description The URL that receives exchange codes from the citizen app. Must be `https` (in the sandbox also `http`
             *     on a loopback address). The service appends `exchange_code` and `state`, and leaves the rest as it is.
             */
            sso_url?: string | null;
        };
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
         * Use
         * @description Something that a partner uses, and since when.
         */
        PartnerUse: {
            /**
             * Format: date
             * @description The first day of use that is known (UTC).
             */
            first_used_on: string;
            kind: components["schemas"]["UseKind"];
            /**
             * Format: date
             * @description The last day of use (UTC).
             */
            last_used_on: string;
            /** @description What is used. */
            name: string;
            partner_code: components["schemas"]["PartnerCode"];
            partner_name: components["schemas"]["RegisteredName"];
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
         * Text about a person
         * @description No control characters, no invisible ones, and none that change the direction of the text.
         */
        PersonText: string;
        /**
         * Text about a person, or null
         * @description As a text about a person. Null if there is none.
         */
        PersonTextOrNull: string | null;
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
         * Registered name
         * @description The legal name of the partner.
         */
        RegisteredName: string;
        /**
         * Replay outcome
         * @description What was done to apply a change again.
         */
        ReplayOutcome: {
            /**
             * @description The kind of secret that the partner needs, because the rotated one is lost. Null if the partner needs
             *     none.
             */
            needs_secret: ("secret_token" | "partner_secret" | "webhook_secret") | null;
            /**
             * @description - `applied`: the change was lost, and is in effect again.
             *     - `in_effect`: the change is in effect already. Nothing was changed.
             *     - `not_there`: the database has no such partner, secret, record or citizen. Nothing was changed.
             *     - `changed_since`: a later change of the same thing stays. Nothing was changed.
             * @enum {string}
             */
            outcome: "applied" | "in_effect" | "not_there" | "changed_since";
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
         * Sign-in registration
         * @description How a partner signs citizens in by OpenID Connect. Its client id is the `partner_code`, and its client secret each
         *     valid `partner_secret`, by HTTP Basic or in the body. If it has keys here, it authenticates with them instead (RFC
         *     7523).
         *     It needs the scope `SSO_AUTHENTICATION`.
         */
        SignInRegistration: {
            /**
             * @description The algorithm that signs ID tokens. `fapi2` needs `ES256`.
             * @enum {string}
             */
            id_token_signed_response_alg: "RS256" | "ES256";
            /**
             * Format: uri
             * @description Where the partner publishes its public keys. Must be `https` (in the sandbox also `http` on a loopback
             *     address), of a public host or of one in a private network that the service allows
             *     (`TIWALA_CALLBACK_NETWORKS`). The visitor of a sandbox on the internet cannot set it: its server never agreed to
             *     requests.
             */
            jwks_url: string | null;
            /** @description The public keys of the partner. Empty if it has a `jwks_url`, or authenticates with its secret. */
            keys: components["schemas"]["PublicKey"][];
            /** @description Where the browser returns to after a logout. Each must be as in `redirect_uris`. */
            post_logout_redirect_uris: string[];
            /**
             * @description `fapi2`: the FAPI 2.0 Security Profile. The partner must use pushed authorization requests, keys
             *     of its own and DPoP.
             * @enum {string}
             */
            profile: "standard" | "fapi2";
            /** @description What the partner may ask for, for each purpose. No two have the same name. */
            purposes: components["schemas"]["SignInPurpose"][];
            /**
             * @description Where the browser returns to, compared character by character. Must be `https` (in the sandbox also `http` on a
             *     loopback address), without a fragment. A query must be written as a form writes it (`a=1&b=two+words`), without the
             *     parameters that OpenID Connect adds.
             */
            redirect_uris: string[];
        };
        /**
         * Tracked authorization
         * @description The state of one authorization record, without personal data.
         */
        TrackedAuthorization: {
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
            partner_code: components["schemas"]["PartnerCode"];
            /**
             * Format: date-time
             * @description When the partner requested authorization.
             */
            requested_at: string;
            /**
             * @description The scope of the record.
             * @enum {string}
             */
            scope: "PROFILE_INQUIRE" | "PROFILE_VIEW";
            state: components["schemas"]["AuthorizationState"];
            tracking_no: components["schemas"]["TrackingNo"];
        };
        /**
         * Tracking number
         * @description Identifies one authorization record of one partner. 26 characters of Crockford base32.
         */
        TrackingNo: string;
        /**
         * Citizen identifier
         * @description The citizen's identifier in the registry: 1 to 64 ASCII letters, digits and `. _ : @ | + = -`, of which the
         *     first is a letter or a digit. Upper and lower case differ. It is not `import`, which is a path of the operator's API.
         */
        Uniqid: string;
        /**
         * Kind of use
         * @description - `operation`: the operationId of an operation of the partner API.
         *     - `scope`: a scope that an operation needed.
         *     - `field`: an optional field or parameter that was sent, as `generateToken.code_verifier`.
         *     - `media_type`: the type of a body that was sent.
         *     - `client`: the client of the service with its version, as `tiwala-client/1.1.0`; another client by the first word of
         *       `User-Agent` without its version, `other` or `none`.
         * @enum {string}
         */
        UseKind: "operation" | "scope" | "field" | "media_type" | "client";
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
        /**
         * @description The token or the session lacks a scope that the operation needs (`scope_not_granted`), or its person asked for this
         *     change (`second_person_required`). Or a browser has sent a session without its `csrf_token` (`csrf_token_invalid`).
         *     Nothing was changed.
         */
        ApprovalRefused: {
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
                    error?: "scope_not_granted" | "second_person_required" | "csrf_token_invalid";
                    /** @constant */
                    status?: 403;
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
        /** @description The receipt. */
        Erasure: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                traceparent: components["headers"]["Traceparent"];
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
        /** @description The partner has no accepted report for going live. Nothing was changed. */
        GoingLiveReportRequired: {
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
                    error?: "going_live_report_required";
                    /** @constant */
                    status?: 409;
                };
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
        /** @description The body is larger than 8 MiB. Nothing was written. Send the lines in several requests. */
        ImportTooLarge: {
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
        /**
         * @description The token or the session lacks a scope that the operation needs (`scope_not_granted`). Or a browser has sent a
         *     session without its `csrf_token` (`csrf_token_invalid`). Nothing was changed.
         */
        OperatorChangeRefused: {
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
                    error?: "scope_not_granted" | "csrf_token_invalid";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The token or the session lacks a scope that the operation needs. */
        OperatorRefused: {
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
                    error?: "scope_not_granted";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /**
         * @description The identity provider's token is missing, expired, or not valid for this service. Or the browser has sent a session
         *     that has ended (`session_required`).
         */
        OperatorTokenRefused: {
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
                    error?: "token_missing" | "token_invalid" | "token_expired" | "session_required";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description Another partner has this code. Nothing was created. */
        PartnerCodeTaken: {
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
                    error?: "partner_code_taken";
                    /** @constant */
                    status?: 409;
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
        /**
         * @description Nothing was changed yet: the change waits for a second person (`TIWALA_SECOND_PERSON`), who decides with `grantApproval` or
         *     `returnApproval`. If the same change waits already, this is the approval of the first request.
         */
        WaitsForSecondPerson: {
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
                 *       "kind": "suspension",
                 *       "status": "PENDING",
                 *       "partner_code": "HOTEL_MABUHAY",
                 *       "partner_name": "Mabuhay Hotels Incorporated",
                 *       "uniqid": null,
                 *       "requested_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                 *       "requested_by_name": "ana@tiwala.example",
                 *       "requested_at": "2026-11-20T08:00:00.000Z",
                 *       "reason": "Ticket 4711",
                 *       "change": {
                 *         "status": "SUSPENDED"
                 *       },
                 *       "previous": {
                 *         "status": "ACTIVE"
                 *       },
                 *       "expires_at": "2026-11-27T08:00:00.000Z",
                 *       "decided_by": null,
                 *       "decided_by_name": null,
                 *       "decided_at": null,
                 *       "decision_reason": null
                 *     }
                 */
                "application/json": components["schemas"]["Approval"];
            };
        };
    };
    parameters: {
        /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
        Cursor: string;
        /**
         * @description The identifier of the erased citizen in the registry.
         * @example CTZ-0000000001
         */
        ErasedUniqid: components["schemas"]["Uniqid"];
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
         * @description The `approval_id` of a change that you asked for.
         * @example apr_5Hb2pYJ7Qn0sVtXw8RkZc1
         */
        OwnApprovalId: string;
        /**
         * @description The partner's code.
         * @example HOTEL_MABUHAY
         */
        PartnerCodeInPath: string;
        /** @description Why, for the audit. Write no personal data and no secret. */
        ReasonInQuery: components["schemas"]["Reason"];
        /**
         * @description Why, for the audit. Write no personal data and no secret.
         * @example Ticket 4711
         */
        RequiredReasonInQuery: components["schemas"]["Reason"];
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
export type AdministratorName = components['schemas']['AdministratorName'];
export type Anomaly = components['schemas']['Anomaly'];
export type AnomalyKind = components['schemas']['AnomalyKind'];
export type Approval = components['schemas']['Approval'];
export type ApprovalChange = components['schemas']['ApprovalChange'];
export type ApprovalKind = components['schemas']['ApprovalKind'];
export type ApprovalStatus = components['schemas']['ApprovalStatus'];
export type AuditCheckpoint = components['schemas']['AuditCheckpoint'];
export type AuditEvent = components['schemas']['AuditEvent'];
export type AuditFault = components['schemas']['AuditFault'];
export type AuditKey = components['schemas']['AuditKey'];
export type AuditKind = components['schemas']['AuditKind'];
export type AuditMonth = components['schemas']['AuditMonth'];
export type AuthorizationState = components['schemas']['AuthorizationState'];
export type CheckName = components['schemas']['CheckName'];
export type CitizenRegistration = components['schemas']['CitizenRegistration'];
export type CitizenSummary = components['schemas']['CitizenSummary'];
export type Credential = components['schemas']['Credential'];
export type CredentialKind = components['schemas']['CredentialKind'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Diagnosis = components['schemas']['Diagnosis'];
export type DiagnosisCheck = components['schemas']['DiagnosisCheck'];
export type Dispute = components['schemas']['Dispute'];
export type ErasureReceipt = components['schemas']['ErasureReceipt'];
export type Error = components['schemas']['Error'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type EventType = components['schemas']['EventType'];
export type Figures = components['schemas']['Figures'];
export type Fleet = components['schemas']['Fleet'];
export type FleetProcess = components['schemas']['FleetProcess'];
export type GoingLive = components['schemas']['GoingLive'];
export type ImportReport = components['schemas']['ImportReport'];
export type IpAllowList = components['schemas']['IpAllowList'];
export type Key = components['schemas']['Key'];
export type LineFault = components['schemas']['LineFault'];
export type LostChange = components['schemas']['LostChange'];
export type Member = components['schemas']['Member'];
export type MemberInvitation = components['schemas']['MemberInvitation'];
export type MemberRole = components['schemas']['MemberRole'];
export type Operator = components['schemas']['Operator'];
export type OperatorSession = components['schemas']['OperatorSession'];
export type Partner = components['schemas']['Partner'];
export type PartnerChange = components['schemas']['PartnerChange'];
export type PartnerCode = components['schemas']['PartnerCode'];
export type PartnerCredentials = components['schemas']['PartnerCredentials'];
export type PartnerLegalName = components['schemas']['PartnerLegalName'];
export type PartnerLimits = components['schemas']['PartnerLimits'];
export type PartnerLimitsChange = components['schemas']['PartnerLimitsChange'];
export type PartnerName = components['schemas']['PartnerName'];
export type PartnerPurpose = components['schemas']['PartnerPurpose'];
export type PartnerRegistration = components['schemas']['PartnerRegistration'];
export type PartnerRequest = components['schemas']['PartnerRequest'];
export type PartnerUse = components['schemas']['PartnerUse'];
export type Passport = components['schemas']['Passport'];
export type PersonText = components['schemas']['PersonText'];
export type PersonTextOrNull = components['schemas']['PersonTextOrNull'];
export type Profile = components['schemas']['Profile'];
export type PublicKey = components['schemas']['PublicKey'];
export type Reason = components['schemas']['Reason'];
export type RegisteredName = components['schemas']['RegisteredName'];
export type ReplayOutcome = components['schemas']['ReplayOutcome'];
export type Scope = components['schemas']['Scope'];
export type SignInItem = components['schemas']['SignInItem'];
export type SignInPurpose = components['schemas']['SignInPurpose'];
export type SignInRegistration = components['schemas']['SignInRegistration'];
export type TrackedAuthorization = components['schemas']['TrackedAuthorization'];
export type TrackingNo = components['schemas']['TrackingNo'];
export type Uniqid = components['schemas']['Uniqid'];
export type UseKind = components['schemas']['UseKind'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type ResponseApprovalNotPending = components['responses']['ApprovalNotPending'];
export type ResponseApprovalRefused = components['responses']['ApprovalRefused'];
export type ResponseCredentialList = components['responses']['CredentialList'];
export type ResponseCsrfRefused = components['responses']['CsrfRefused'];
export type ResponseDeliveryPage = components['responses']['DeliveryPage'];
export type ResponseErasure = components['responses']['Erasure'];
export type ResponseFiguresPage = components['responses']['FiguresPage'];
export type ResponseGoingLiveReportRequired = components['responses']['GoingLiveReportRequired'];
export type ResponseIdempotentRequestRefused = components['responses']['IdempotentRequestRefused'];
export type ResponseImportTooLarge = components['responses']['ImportTooLarge'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseMalformedRequest = components['responses']['MalformedRequest'];
export type ResponseMemberExists = components['responses']['MemberExists'];
export type ResponseMemberList = components['responses']['MemberList'];
export type ResponseNewCredential = components['responses']['NewCredential'];
export type ResponseNewWebhookSecret = components['responses']['NewWebhookSecret'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseOperatorChangeRefused = components['responses']['OperatorChangeRefused'];
export type ResponseOperatorRefused = components['responses']['OperatorRefused'];
export type ResponseOperatorTokenRefused = components['responses']['OperatorTokenRefused'];
export type ResponsePartnerCodeTaken = components['responses']['PartnerCodeTaken'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseRequestPage = components['responses']['RequestPage'];
export type ResponseRevokedCredential = components['responses']['RevokedCredential'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTrackingNoNotFound = components['responses']['TrackingNoNotFound'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type ResponseWaitsForSecondPerson = components['responses']['WaitsForSecondPerson'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterErasedUniqid = components['parameters']['ErasedUniqid'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterOwnApprovalId = components['parameters']['OwnApprovalId'];
export type ParameterPartnerCodeInPath = components['parameters']['PartnerCodeInPath'];
export type ParameterReasonInQuery = components['parameters']['ReasonInQuery'];
export type ParameterRequiredReasonInQuery = components['parameters']['RequiredReasonInQuery'];
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
    listAnomalies: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /**
                 * @description Only anomalies of this kind.
                 * @example rate
                 */
                kind?: components["schemas"]["AnomalyKind"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description With `true`, only anomalies that have not ended; with `false`, only those that have.
                 * @example true
                 */
                open?: boolean;
                /** @description Only anomalies of this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
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
                     *       "anomalies": [
                     *         {
                     *           "anomaly_id": "ano_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "kind": "rate",
                     *           "began_at": "2026-11-20T08:20:00.000Z",
                     *           "ended_at": null,
                     *           "expected": 120,
                     *           "threshold": 481,
                     *           "observed": 1340,
                     *           "address_ranges": [],
                     *           "action": "slow",
                     *           "acknowledged_by": null,
                     *           "acknowledged_by_name": null,
                     *           "acknowledged_at": null,
                     *           "acknowledged_reason": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The anomalies on this page. */
                        anomalies: components["schemas"]["Anomaly"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledgeAnomaly: {
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
            };
            path: {
                /**
                 * @description The `anomaly_id` of the anomaly.
                 * @example ano_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                anomaly_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The anomaly. */
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
                     *       "anomaly_id": "ano_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "kind": "rate",
                     *       "began_at": "2026-11-20T08:20:00.000Z",
                     *       "ended_at": null,
                     *       "expected": 120,
                     *       "threshold": 481,
                     *       "observed": 1340,
                     *       "address_ranges": [],
                     *       "action": "slow",
                     *       "acknowledged_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "acknowledged_by_name": "ana@tiwala.example",
                     *       "acknowledged_at": "2026-11-20T09:00:00.000Z",
                     *       "acknowledged_reason": "Ticket 4711: the partner migrates"
                     *     }
                     */
                    "application/json": components["schemas"]["Anomaly"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    listApprovals: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only changes about this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
                /**
                 * @description Only changes with this status.
                 * @example PENDING
                 */
                status?: components["schemas"]["ApprovalStatus"];
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
                     *       "approvals": [
                     *         {
                     *           "approval_id": "apr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "kind": "settings",
                     *           "status": "PENDING",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "uniqid": null,
                     *           "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "requested_by_name": null,
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
                     *           "decided_by_name": null,
                     *           "decided_at": null,
                     *           "decision_reason": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The changes on this page. */
                        approvals: components["schemas"]["Approval"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readApproval: {
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
                 * @description The `approval_id` of the change.
                 * @example apr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change. */
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
                     *       "status": "PENDING",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "uniqid": null,
                     *       "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "requested_by_name": null,
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "reason": "Our new servers receive the events",
                     *       "change": {
                     *         "callback_url": "https://events.hotel.example/tiwala"
                     *       },
                     *       "previous": {
                     *         "callback_url": "https://hotel.example/tiwala/callback"
                     *       },
                     *       "expires_at": "2026-11-27T08:00:00.000Z",
                     *       "decided_by": null,
                     *       "decided_by_name": null,
                     *       "decided_at": null,
                     *       "decision_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawOwnApproval: {
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
                 * @description The `approval_id` of a change that you asked for.
                 * @example apr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                approval_id: components["parameters"]["OwnApprovalId"];
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
                     *       "kind": "suspension",
                     *       "status": "WITHDRAWN",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "uniqid": null,
                     *       "requested_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "requested_by_name": "ana@tiwala.example",
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "reason": "Ticket 4711",
                     *       "change": {
                     *         "status": "SUSPENDED"
                     *       },
                     *       "previous": {
                     *         "status": "ACTIVE"
                     *       },
                     *       "expires_at": "2026-11-27T08:00:00.000Z",
                     *       "decided_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "decided_by_name": "ana@tiwala.example",
                     *       "decided_at": "2026-11-20T09:00:00.000Z",
                     *       "decision_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["CsrfRefused"];
            404: components["responses"]["NotFound"];
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
    grantApproval: {
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
            /** @description The change that was made. */
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
                     *       "status": "GRANTED",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "uniqid": null,
                     *       "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "requested_by_name": null,
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "reason": "Our new servers receive the events",
                     *       "change": {
                     *         "callback_url": "https://events.hotel.example/tiwala"
                     *       },
                     *       "previous": {
                     *         "callback_url": "https://hotel.example/tiwala/callback"
                     *       },
                     *       "expires_at": "2026-11-27T08:00:00.000Z",
                     *       "decided_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "decided_by_name": "ana@tiwala.example",
                     *       "decided_at": "2026-11-20T09:00:00.000Z",
                     *       "decision_reason": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["ApprovalRefused"];
            404: components["responses"]["NotFound"];
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
    returnApproval: {
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
                 * @description The `approval_id` of the change.
                 * @example apr_5Hb2pYJ7Qn0sVtXw8RkZc1
                 */
                approval_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "The host is not yours"
                 *     }
                 */
                "application/json": {
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The change that was returned. */
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
                     *       "status": "RETURNED",
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
                     *       "uniqid": null,
                     *       "requested_by": "mbr_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *       "requested_by_name": null,
                     *       "requested_at": "2026-11-20T08:00:00.000Z",
                     *       "reason": "Our new servers receive the events",
                     *       "change": {
                     *         "callback_url": "https://events.hotel.example/tiwala"
                     *       },
                     *       "previous": {
                     *         "callback_url": "https://hotel.example/tiwala/callback"
                     *       },
                     *       "expires_at": "2026-11-27T08:00:00.000Z",
                     *       "decided_by": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "decided_by_name": "ana@tiwala.example",
                     *       "decided_at": "2026-11-20T09:00:00.000Z",
                     *       "decision_reason": "The host is not yours"
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["ApprovalRefused"];
            404: components["responses"]["NotFound"];
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
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description Only events that this actor caused. It is the whole `actor` of an event. */
                actor?: string;
                /** @description Only events that this checkpoint seals. */
                checkpoint?: number;
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only events at or after this time. */
                from?: string;
                /** @description Only events of this kind. */
                kind?: components["schemas"]["AuditKind"];
                /** @description The maximum number of items on a page. */
                limit?: number;
                /** @description Only events of this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
                /** @description Only events before this time. */
                to?: string;
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
                     *           "reason": null,
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
                        /** @description The events on this page. */
                        events: components["schemas"]["AuditEvent"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: number;
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
                        /** @description The checkpoints on this page. */
                        checkpoints: components["schemas"]["AuditCheckpoint"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                 * @description The number of the checkpoint.
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
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
            401: components["responses"]["OperatorTokenRefused"];
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
            /** @description The keys. */
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
                     *       "latest_checkpoint": 41,
                     *       "latest_archived_checkpoint": null
                     *     }
                     */
                    "application/json": {
                        /** @description The public keys of the audit. */
                        keys: components["schemas"]["AuditKey"][];
                        /**
                         * @description The newest checkpoint whose events are in the archive. `listAuditEvents` returns them with the filter
                         *     `checkpoint` only. Null if nothing is archived.
                         */
                        latest_archived_checkpoint: number | null;
                        /** @description The number of the newest checkpoint. Null before the first. */
                        latest_checkpoint: number | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditMonths: {
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
            /** @description The months. */
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
                     *       "months": [
                     *         {
                     *           "name": "202611",
                     *           "status": "OPEN",
                     *           "month": "2026-11",
                     *           "events": 812000,
                     *           "bytes": 693000000,
                     *           "first_checkpoint": null,
                     *           "last_checkpoint": null,
                     *           "archived_at": null
                     *         },
                     *         {
                     *           "name": "202610",
                     *           "status": "ARCHIVED",
                     *           "month": "2026-10",
                     *           "events": 1204411,
                     *           "bytes": null,
                     *           "first_checkpoint": 1,
                     *           "last_checkpoint": 40211,
                     *           "archived_at": "2026-11-03T02:00:41.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The months. */
                        months: components["schemas"]["AuditMonth"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                /** @description The first checkpoint to verify. */
                from_checkpoint?: number;
                /** @description The maximum number of checkpoints to verify. The service verifies fewer if they seal many events. */
                limit?: number;
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
            /** @description The result. A fault in the audit is not an error of this request. */
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
                     *       "checked_checkpoints": 41,
                     *       "checked_rows": 98,
                     *       "unsealed_rows": 2,
                     *       "next_checkpoint": null,
                     *       "first_fault": null
                     *     }
                     */
                    "application/json": {
                        /** @description The number of checkpoints that were verified. */
                        checked_checkpoints: number;
                        /** @description The number of events that were verified. */
                        checked_rows: number;
                        first_fault: components["schemas"]["AuditFault"] | null;
                        /** @description The checkpoint to continue with. Null at the end, and after a fault. */
                        next_checkpoint: number | null;
                        /**
                         * @description The number of events that are not sealed yet, as the newest are for about a second. Counted
                         *     up to 100,000.
                         */
                        unsealed_rows: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                 * @description The tracking number.
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
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "scope": "PROFILE_INQUIRE",
                     *           "state": "ACCEPTED",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "expires_at": "2026-11-20T08:05:00.000Z",
                     *           "accepted_at": "2026-11-20T08:00:12.000Z",
                     *           "ended_at": "2026-11-20T08:00:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description The records with this tracking number. */
                        authorizations: components["schemas"]["TrackedAuthorization"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["TrackingNoNotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readCitizen: {
        parameters: {
            query: {
                /**
                 * @description Why, for the audit. Write no personal data and no secret.
                 * @example Ticket 4711
                 */
                reason: components["parameters"]["RequiredReasonInQuery"];
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
            path: {
                /**
                 * @description The citizen's identifier in the registry.
                 * @example CTZ-0000000001
                 */
                uniqid: components["schemas"]["Uniqid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The citizen. */
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
                     *       "changed_at": "2026-11-01T08:00:00.000Z",
                     *       "frozen": false,
                     *       "blocked_partners": 1,
                     *       "open_requests": [
                     *         {
                     *           "tracking_no": "7M3K9QXV4T0HB2ZJ6WFE8RC5ND",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "state": "PENDING",
                     *           "requested_at": "2026-11-20T08:00:00.000Z",
                     *           "expires_at": "2026-11-20T08:05:00.000Z"
                     *         }
                     *       ],
                     *       "disclosures": [
                     *         {
                     *           "id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "disclosed_at": "2026-11-19T08:00:14.000Z",
                     *           "way": "SSO",
                     *           "partner": {
                     *             "partner_code": "HOTEL_MABUHAY",
                     *             "name": "Mabuhay Hotels Incorporated",
                     *             "purpose": "To register you as a guest, as the law asks of hotels."
                     *           },
                     *           "tracking_no": null,
                     *           "disputed_at": "2026-11-19T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "disputes": [
                     *         {
                     *           "disclosure_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "disputed_at": "2026-11-19T09:30:00.000Z",
                     *           "disclosed_at": "2026-11-19T08:00:14.000Z",
                     *           "way": "SSO",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "tracking_no": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CitizenSummary"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
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
                 * @description The citizen's identifier in the registry, as in the profile.
                 * @example CTZ-0000000001
                 */
                uniqid: components["schemas"]["Uniqid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CitizenRegistration"];
            };
        };
        responses: {
            /** @description The citizen was stored. */
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
                     *       "uniqid": "CTZ-0000000001",
                     *       "created": true
                     *     }
                     */
                    "application/json": {
                        /** @description True if the citizen did not exist before. */
                        created: boolean;
                        /** @description The citizen's identifier. */
                        uniqid: string;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
            };
            path: {
                /**
                 * @description The citizen's identifier in the registry.
                 * @example CTZ-0000000001
                 */
                uniqid: components["schemas"]["Uniqid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Erasure"];
            202: components["responses"]["WaitsForSecondPerson"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    readErasure: {
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
                 * @description The identifier of the erased citizen in the registry.
                 * @example CTZ-0000000001
                 */
                uniqid: components["parameters"]["ErasedUniqid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Erasure"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    importCitizens: {
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
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description All lines were processed. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportReport"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only deliveries to this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
                /**
                 * @description Only deliveries with this status.
                 * @example DEAD
                 */
                status?: components["schemas"]["DeliveryStatus"];
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
            200: components["responses"]["DeliveryPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                 * @description The `webhook-id` of the event.
                 * @example evt_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                webhook_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
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
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    replayDeadLetters: {
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
                 *       "limit": 500
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Only events that happened at or after this time.
                     */
                    from?: string;
                    /** @description The maximum number of events to send again. */
                    limit: number;
                    partner_code?: components["schemas"]["PartnerCode"];
                    /**
                     * Format: date-time
                     * @description Only events that happened before this time.
                     */
                    to?: string;
                    type?: components["schemas"]["EventType"];
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
                     *       "replayed": 500,
                     *       "has_more": true
                     *     }
                     */
                    "application/json": {
                        /** @description Whether further events of the selection are still dead. */
                        has_more: boolean;
                        /** @description The number of events that are pending again. */
                        replayed: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only disputes about this partner. */
                partner_code?: components["schemas"]["PartnerCode"];
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
                     *       "disputes": [
                     *         {
                     *           "disclosure_id": "req_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "disputed_at": "2026-11-20T09:30:00.000Z",
                     *           "disclosed_at": "2026-11-20T08:00:14.000Z",
                     *           "way": "SSO",
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "tracking_no": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description The disputes on this page. */
                        disputes: components["schemas"]["Dispute"][];
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readFleet: {
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
            /** @description The fleet. */
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
                     *       "processes": [
                     *         {
                     *           "process_id": "prc_5Hb2pYJ7Qn0sVtXw8RkZc1",
                     *           "version": "1.4.0",
                     *           "contract": "0.8.0",
                     *           "schema": "0027_fleet",
                     *           "node": "24.21.0",
                     *           "started_at": "2026-11-20T08:00:00.000Z",
                     *           "seen_at": "2026-11-20T09:30:05.000Z",
                     *           "is_running": true,
                     *           "housekept_at": "2026-11-20T09:30:04.000Z",
                     *           "housekeeping_failed_at": null,
                     *           "keys": [
                     *             {
                     *               "purpose": "key-encryption",
                     *               "kid": "4f0c1a52-6d1e-4d52-9a5c-2f7f3f1f7e11",
                     *               "is_current": true
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "schema": "0027_fleet",
                     *       "connections": [
                     *         {
                     *           "purpose": "requests",
                     *           "count": 20
                     *         }
                     *       ],
                     *       "max_connections": 100,
                     *       "unsealed_seconds": 0.4,
                     *       "deliveries": {
                     *         "pending": 12,
                     *         "dead": 0,
                     *         "oldest_pending_seconds": 1.5
                     *       },
                     *       "record_days_ahead": 7,
                     *       "audit_months_ahead": 2,
                     *       "unsafe_settings": [],
                     *       "backups": [
                     *         {
                     *           "name": "base",
                     *           "age_seconds": 3600
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Fleet"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
            /** @description The keys, by purpose, the current one first. */
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
                     *       "keys": [
                     *         {
                     *           "kid": "4f0c1a52-6d1e-4d52-9a5c-2f7f3f1f7e11",
                     *           "purpose": "key-encryption",
                     *           "is_current": true,
                     *           "active_from": null,
                     *           "in_use": 12
                     *         }
                     *       ],
                     *       "citizens": 12,
                     *       "remaining": 0
                     *     }
                     */
                    "application/json": {
                        /** @description How many citizens have data that is encrypted. */
                        citizens: number;
                        /** @description The keys of the key ring. */
                        keys: components["schemas"]["Key"][];
                        /** @description How many of them need an older key than the current one, as `remaining` of `rewrapKeys`. */
                        remaining: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
                 *       "limit": 500
                 *     }
                 */
                "application/json": {
                    /** @description The maximum number of citizens to move. */
                    limit: number;
                };
            };
        };
        responses: {
            /** @description The number of citizens moved, and the number that remains. */
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
                     *       "moved": 500,
                     *       "remaining": 1200
                     *     }
                     */
                    "application/json": {
                        /** @description The number of citizens whose data was moved. */
                        moved: number;
                        /** @description The number of citizens whose data still needs an older key. */
                        remaining: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperators: {
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
                     *       "operators": [
                     *         {
                     *           "subject": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *           "name": "ana@tiwala.example",
                     *           "scopes": [
                     *             "audit:read",
                     *             "partners:read",
                     *             "partners:write"
                     *           ],
                     *           "first_seen_at": "2026-11-01T08:00:00.000Z",
                     *           "seen_at": "2026-11-20T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description The administrators on this page. */
                        operators: components["schemas"]["Operator"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPartners: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only partners with this text in their code or name, upper or lower case.
                 * @example hotel
                 */
                q?: string;
                /** @description Only partners with this status. */
                status?: "ACTIVE" | "SUSPENDED";
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
                     *           "created_at": "2026-11-20T08:00:00.000Z",
                     *           "going_live": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description The partners on this page. */
                        partners: components["schemas"]["Partner"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
            };
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
                    "Cache-Control": components["headers"]["CacheControl"];
                    traceparent: components["headers"]["Traceparent"];
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
                     *         "created_at": "2026-11-20T08:00:00.000Z",
                     *         "going_live": null
                     *       },
                     *       "credentials": {
                     *         "secret_code": "twc_0123456789ABCDEFGHIJ",
                     *         "secret_token": "twt_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "partner_code": "HOTEL_MABUHAY",
                     *         "partner_secret": "tws_test_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklm",
                     *         "webhook_secret": "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg=",
                     *         "expires_at": "2027-11-20T08:00:00.000Z"
                     *       },
                     *       "base_url": "https://tiwala.example",
                     *       "auth_url": "https://tiwala.example"
                     *     }
                     */
                    "application/json": {
                        /** @description The approval that the scopes wait for. Present only if `scope` needs a second person. */
                        approval_id?: string;
                        /**
                         * Format: uri
                         * @description The address of single sign-on, for the configuration of the partner.
                         */
                        auth_url: string;
                        /**
                         * Format: uri
                         * @description The address of the partner API, for the configuration of the partner.
                         */
                        base_url: string;
                        credentials: components["schemas"]["PartnerCredentials"];
                        partner: components["schemas"]["Partner"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["PartnerCodeTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotentRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readPartner: {
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
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": null
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
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
            /** @description The changed partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": null
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            202: components["responses"]["WaitsForSecondPerson"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    setCallback: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
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
                     * @description The URL. Must be `https` (in the sandbox also `http` on a loopback address), of a public host or of
                     *     one in a private network that the service allows (`TIWALA_CALLBACK_NETWORKS`).
                     */
                    callback_url: string | null;
                };
            };
        };
        responses: {
            /** @description The partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": null
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    listCredentials: {
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
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["CredentialList"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
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
                    /** @description How many days the previous secret still works. 7 is usual; use 0 if the secret has leaked. */
                    grace_days: number;
                    kind: components["schemas"]["CredentialKind"];
                };
            };
        };
        responses: {
            201: components["responses"]["NewCredential"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotentRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeCredential: {
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
            };
            path: {
                /**
                 * @description The `id` of the credential.
                 * @example crd_2f1c7d0a9b3e4c5d8f6a7b8c9d0e1f2a
                 */
                credential_id: string;
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RevokedCredential"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    readPartnerFigures: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FiguresPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideGoingLiveReport: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "report": "eyJhbGciOiJFZERTQSJ9.eyJldmVudCI6InJlcG9ydC53cml0dGVuIn0.c2lnbmF0dXJl",
                 *       "status": "RETURNED"
                 *     }
                 */
                "application/json": {
                    /** @description The field `receipt` of the report. */
                    report: string;
                    /**
                     * @description `RETURNED`: the partner mends what the report shows, and writes a new one. Say what in `reason`.
                     * @enum {string}
                     */
                    status: "ACCEPTED" | "RETURNED";
                };
            };
        };
        responses: {
            /** @description The partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": {
                     *         "status": "RETURNED",
                     *         "report_id": "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
                     *         "written_at": "2026-11-20T09:00:00.000Z",
                     *         "decided_at": "2026-11-20T10:00:00.000Z",
                     *         "decided_by": "admin@ministry.example",
                     *         "reason": "Rotate a secret once, as check 6 asks"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            202: components["responses"]["WaitsForSecondPerson"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    listPartnerMembers: {
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
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["MemberList"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    invitePartnerMember: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "admin@hotel.example",
                 *       "role": "admin"
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
                     *       "email": "admin@hotel.example",
                     *       "role": "admin",
                     *       "status": "INVITED",
                     *       "invited_at": "2026-11-20T08:00:00.000Z",
                     *       "signed_in_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            404: components["responses"]["NotFound"];
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
    listPartnerRequests: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["RequestPage"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePartner: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The active partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": null
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            202: components["responses"]["WaitsForSecondPerson"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["GoingLiveReportRequired"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readSignInRegistration: {
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
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The registration. */
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
                     *       "redirect_uris": [
                     *         "https://hotel.example/signed-in"
                     *       ],
                     *       "post_logout_redirect_uris": [
                     *         "https://hotel.example/"
                     *       ],
                     *       "profile": "standard",
                     *       "id_token_signed_response_alg": "RS256",
                     *       "keys": [],
                     *       "jwks_url": null,
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
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignInRegistration"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSignInRegistration: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "redirect_uris": [
                 *         "https://hotel.example/signed-in"
                 *       ],
                 *       "post_logout_redirect_uris": [
                 *         "https://hotel.example/"
                 *       ],
                 *       "profile": "standard",
                 *       "id_token_signed_response_alg": "RS256",
                 *       "keys": [],
                 *       "jwks_url": null,
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
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SignInRegistration"];
            };
        };
        responses: {
            /** @description The new registration. */
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
                     *       "redirect_uris": [
                     *         "https://hotel.example/signed-in"
                     *       ],
                     *       "post_logout_redirect_uris": [
                     *         "https://hotel.example/"
                     *       ],
                     *       "profile": "standard",
                     *       "id_token_signed_response_alg": "RS256",
                     *       "keys": [],
                     *       "jwks_url": null,
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
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SignInRegistration"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
    suspendPartner: {
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suspended partner. */
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
                     *       "created_at": "2026-11-20T08:00:00.000Z",
                     *       "going_live": null
                     *     }
                     */
                    "application/json": components["schemas"]["Partner"];
                };
            };
            202: components["responses"]["WaitsForSecondPerson"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
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
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
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
            };
            path: {
                /**
                 * @description The partner's code.
                 * @example HOTEL_MABUHAY
                 */
                partner_code: components["parameters"]["PartnerCodeInPath"];
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
                    /** @description How many days the previous secret still signs. 7 is usual; use 0 if the secret has leaked. */
                    grace_days: number;
                };
            };
        };
        responses: {
            200: components["responses"]["NewWebhookSecret"];
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotentRequestRefused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readPartnerRequest: {
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
                     *       "partner_code": "HOTEL_MABUHAY",
                     *       "partner_name": "Mabuhay Hotels Incorporated",
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
                        partner_code: components["schemas"]["PartnerCode"];
                        partner_name: components["schemas"]["RegisteredName"];
                        request: components["schemas"]["PartnerRequest"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeRestore: {
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
            /** @description The current epoch. */
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
                     *       "epoch": 2
                     *     }
                     */
                    "application/json": {
                        /** @description The security epoch after this request. */
                        epoch: number;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayChange: {
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
                 *       "kind": "credential.revoked",
                 *       "occurred_at": "2026-01-31T12:00:00.000Z",
                 *       "partner_code": "HOTEL_MABUHAY",
                 *       "detail": "crd_5f0c8d1f6c8b4c33a4d2f3d1f7a9b0c2"
                 *     }
                 */
                "application/json": components["schemas"]["LostChange"];
            };
        };
        responses: {
            /** @description Whether the change was applied. */
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
                     *       "outcome": "applied",
                     *       "needs_secret": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayOutcome"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorChangeRefused"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    readOwnSession: {
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
                     *       "subject": "8f14e45f-ea5b-4d2c-9c1b-2d0f6a7b8c9d",
                     *       "name": "ana@tiwala.example",
                     *       "scopes": [
                     *         "audit:read",
                     *         "partners:read",
                     *         "partners:write"
                     *       ],
                     *       "environment": "live",
                     *       "csrf_token": "0a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ012345",
                     *       "expires_at": "2026-11-20T16:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorSession"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOwnSession: {
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
                     *       "ended": true
                     *     }
                     */
                    "application/json": {
                        /** @description Whether there was a session. */
                        ended: boolean;
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
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
    listUse: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. A value that is not a `next_cursor` is `422 validation_failed`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only use of this kind. */
                kind?: components["schemas"]["UseKind"];
                /** @description The maximum number of items on a page. */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Only use of what has exactly this name.
                 * @example generateToken
                 */
                name?: string;
                /** @description Only what this partner uses. */
                partner_code?: components["schemas"]["PartnerCode"];
                /**
                 * @description Only what was used on the day (UTC) of this time, or later.
                 * @example 2026-10-01T00:00:00Z
                 */
                since?: string;
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
                     *       "use": [
                     *         {
                     *           "partner_code": "HOTEL_MABUHAY",
                     *           "partner_name": "Mabuhay Hotels Incorporated",
                     *           "kind": "operation",
                     *           "name": "generateToken",
                     *           "first_used_on": "2026-03-02",
                     *           "last_used_on": "2026-11-20"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        /** @description Send it as `cursor` to get the next page. Null on the last page. */
                        next_cursor: string | null;
                        /** @description The use on this page. */
                        use: components["schemas"]["PartnerUse"][];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["OperatorTokenRefused"];
            403: components["responses"]["OperatorRefused"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
