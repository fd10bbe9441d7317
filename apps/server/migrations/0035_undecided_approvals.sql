-- needs 0034_sandbox_positions
-- The console asks on every page what waits. Nearly all approvals are decided.
create index if not exists approval_undecided on approval (id) where decision is null;
