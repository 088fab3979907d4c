# SPDX-License-Identifier: LGPL-3.0-or-later
# Completion for bash. What there is to choose from, 'sinograph complete' says.

_sinograph ()
{
  local line=${COMP_LINE:0:COMP_POINT} words=() word gap i quote=
  # bash cuts words at '=' and ':', which belong to ours: what no blank parts is one.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    gap=${line%%[![:space:]]*}
    line=${line:${#gap}}
    word=${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || word=$line
    line=${line:${#word}}
    if ((i == 0)) || [[ $gap ]]; then
      words+=("$word")
    else
      words[-1]+=$word
    fi
  done
  # The program is given what the shell would give it, but for what stands for something else.
  for i in "${!words[@]}"; do
    word=${words[i]}
    case $word in
      \'*) quote=\' word=${word#\'} word=${word%\'} ;;
      \"*) quote=\" word=${word#\"} word=${word%\"} ;;
      *) quote='' word=${word//\\/} ;;
    esac
    words[i]=$word
  done
  local current=${words[-1]} kept='' candidate
  # What stands before the last '=' or ':' is not replaced, unless it is in quotes.
  [[ $quote ]] || kept=${current%"${current##*[=:]}"}
  [[ $COMP_WORDBREAKS == *=* && $COMP_WORDBREAKS == *:* ]] || kept=
  COMPREPLY=()
  while IFS= read -r candidate; do
    [[ $candidate == *[=/.] ]] && compopt -o nospace 2>/dev/null
    candidate=${candidate#"$kept"}
    # A blank or a '$' in a name of a file is meant as it stands; marks of launch lines are.
    if [[ ! $quote && $candidate == *[[:space:]\$\`\"\'\\\(\)\&\;\<\>\|*?]* ]]; then
      printf -v candidate %q "$candidate"
    fi
    COMPREPLY+=("$candidate")
  done < <("${COMP_WORDS[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}

complete -F _sinograph sinograph
