/** A button that chooses a file. */
export const FileButton = ({
  label,
  accept,
  choose,
}: {
  label: string
  accept: string
  choose: (file: File) => unknown
}) => (
  <label class="button compact">
    {label}
    <input
      type="file"
      accept={accept}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files!
        if (file) choose(file)
        // Otherwise the same file, chosen again, is no change.
        currentTarget.value = ''
      }}
    />
  </label>
)
