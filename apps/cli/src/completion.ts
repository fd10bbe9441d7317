// Scripts for the completion of commands and options in a shell. They hold the words of all commands, so that a
// completion does not start the program.
import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** `path`: the names of the command, without the program. */
type Entry = { path: string; words: string[] }

/** `program`: its options are those of every command. */
function entriesOf(program: Command, command = program, path: string[] = []): Entry[] {
  const commands = command.commands.map((each) => each.name())
  const options = [...command.options, ...program.options].flatMap(({ long }) => (long ? [long] : []))
  return [
    { path: path.join(' '), words: [...commands, ...new Set([...options, '--help'])] },
    ...command.commands.flatMap((each) => entriesOf(program, each, [...path, each.name()])),
  ]
}

export function completionScript(program: Command, shell: Shell): string {
  const entries = entriesOf(program)
  if (shell === 'fish') return fishScript(entries)
  const cases = entries.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`)
  const script = `# tiwala completion ${shell}
_tiwala() {
  local word path= words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    _tiwala_is "\${path:+$path }$word" || break
    path="\${path:+$path }$word"
  done
  case $path in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
_tiwala_is() {
  case $1 in
    ${entries.flatMap(({ path }) => (path ? [`'${path}'`] : [])).join('|')}) return 0 ;;
  esac
  return 1
}
complete -o default -F _tiwala tiwala
`
  return shell === 'zsh' ? `autoload -Uz bashcompinit && bashcompinit\n${script}` : script
}

/** A line for each command: its words, if the command line has its names. */
function fishScript(entries: Entry[]): string {
  const lines = entries.map(({ path, words }) => {
    const names = path.split(' ').filter(Boolean)
    const condition = names.length
      ? names.map((name) => `__fish_seen_subcommand_from ${name}`).join('; and ')
      : '__fish_use_subcommand'
    return `complete -c tiwala -f -n '${condition}' -a '${words.join(' ')}'`
  })
  return `# tiwala completion fish\n${lines.join('\n')}\n`
}
