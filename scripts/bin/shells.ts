interface CompletedOption {
  long: string;
  description: string;
  takesValue: boolean;
  /** The words that it takes; empty if it takes others, or a file. */
  choices: readonly string[];
}

export interface CompletedCommand {
  name: string;
  summary: string;
  /** The words that its first argument takes. */
  choices: readonly string[];
  options: readonly CompletedOption[];
}

/** Writes a text for a shell to read once: it completes without starting anything. */
type Write = (commands: readonly CompletedCommand[]) => string;

const GLOBAL = ["--help", "--version"];

/** Completion for bash, which itself completes names of files if there is nothing else to complete. */
const bash: Write = (commands) => `_metasnap() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words= choices=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), ...GLOBAL].join(" ")}" -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands.map(writeBashCommand).join("\n")}
  esac
  [[ $word == -* && -z $choices ]] && choices=$words
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}
complete -o bashdefault -o default -F _metasnap metasnap
`;

function writeBashCommand({ name, choices, options }: CompletedCommand): string {
  const chosen = options.filter((option) => option.choices.length > 0);
  const cases = chosen.map((option) => `${option.long}) choices="${option.choices.join(" ")}" ;;`);
  if (choices.length > 0) cases.push(`${name}) choices="${choices.join(" ")}" ;;`);
  const words = options.map(({ long }) => long).join(" ");
  return `    ${name})
      words="${words}"
      case $before in ${[...cases, "*) ;;"].join(" ")} esac ;;`;
}

/** Completion for zsh, to be read by `source`, or to lie as `_metasnap` in a folder of `$fpath`. */
const zsh: Write = (commands) => `#compdef metasnap
_metasnap() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoteForZsh(`${name}:${summary}`)}`).join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map(writeZshCommand).join("\n")}
  esac
}
if [[ $funcstack[1] == _metasnap ]]; then _metasnap "$@"; else compdef _metasnap metasnap; fi
`;

function writeZshCommand({ name, choices, options }: CompletedCommand): string {
  const actionOf = (words: readonly string[]) => (words.length > 0 ? `(${words.join(" ")})` : "_files");
  const specs = options.map(({ long, description, takesValue, choices: words }) =>
    quoteForZsh(
      `${takesValue ? "*" : ""}${long}[${description.replace(/[[\]\\:]/g, "\\$&")}]${takesValue ? `:value:${actionOf(words)}` : ""}`,
    ),
  );
  const lines = [...specs, quoteForZsh(`*:argument:${actionOf(choices)}`)].map((spec) => ` \\\n        ${spec}`);
  return `    ${name})\n      _arguments${lines.join("")} ;;`;
}

const quoteForZsh = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const fish: Write = (commands) =>
  [
    "complete -c metasnap -n __fish_use_subcommand -f",
    ...GLOBAL.map((option) => `complete -c metasnap -n __fish_use_subcommand -l ${option.slice(2)}`),
    ...commands.flatMap(writeFishCommand),
    "",
  ].join("\n");

function writeFishCommand({ name, summary, choices, options }: CompletedCommand): string[] {
  const within = `complete -c metasnap -n '__fish_seen_subcommand_from ${name}'`;
  return [
    `complete -c metasnap -n __fish_use_subcommand -a ${name} -d ${quoteForFish(summary)}`,
    ...(choices.length > 0 ? [`${within} -f -a '${choices.join(" ")}'`] : []),
    ...options.map(({ long, description, takesValue, choices: words }) => {
      const value = words.length > 0 ? ` -x -a '${words.join(" ")}'` : takesValue ? " -r" : "";
      return `${within} -l ${long.slice(2)}${value} -d ${quoteForFish(description)}`;
    }),
  ];
}

const quoteForFish = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;

export const SHELLS = { bash, zsh, fish };
