/** The audit has the id: the `sub` of an administrator, or a `member_id`. */
export const Person = ({ id, name }: { id: string; name: string | null | undefined }) => (
  <>
    {name ?? id}
    {name && name !== id && (
      <>
        {' '}
        <code class="small soft">{id}</code>
      </>
    )}
  </>
)
