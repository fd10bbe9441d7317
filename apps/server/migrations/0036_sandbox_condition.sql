-- needs 0035_undecided_approvals
-- What the condition of a sandbox replaced in its partner (`partner-condition.ts`), to restore it. Empty: it has no condition.
alter table sandbox add column if not exists before_condition jsonb not null default '{}';
