import { type KeyboardEvent, type ReactNode, type TextareaHTMLAttributes, useId, useState } from 'react';
import type { QuickReplyDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { matchingReplies, slashSearch } from './matching-replies';

/** As many as fit above the reply on a phone. */
const MOST_SHOWN = 6;

/** The list of quick replies that `/` at the start of a reply opens. */
interface SlashReplies {
  /** Of the reply field. It stays a text field: HTML allows a `textarea` no role `combobox`. */
  field: TextareaHTMLAttributes<HTMLTextAreaElement>;
  /** Handles a key of the field first; whether the list has used it. */
  onKey: (event: KeyboardEvent) => boolean;
  list: ReactNode;
}

/** Opens the list while the field has the focus. `replies`: undefined until they are loaded. `onChoose` replaces the typed text. */
export function useSlashReplies(
  replies: readonly QuickReplyDto[] | undefined,
  typed: string,
  onChoose: (text: string) => void,
): SlashReplies {
  const id = useId();
  const search = slashSearch(typed);
  const [isFocused, setFocused] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const [highlighted, setHighlighted] = useState({ search, index: 0 });
  if (isClosed && search === null) setClosed(false);
  const isOpen = search !== null && isFocused && !isClosed && replies !== undefined;
  const all = isOpen ? matchingReplies(replies, search) : [];
  const isFirst = isOpen && replies.length === 0;
  const matches = all.slice(0, MOST_SHOWN);
  // Another search starts at its first match.
  const at = highlighted.search === search ? Math.min(highlighted.index, matches.length - 1) : 0;
  const optionId = (index: number) => `${id}-${index}`;
  const activeId = matches.length > 0 ? optionId(at) : undefined;

  const onKey = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.nativeEvent.isComposing || event.shiftKey) return false;
    if (isFirst && event.key !== 'Escape') return false;
    const chosen = matches[at];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const step = event.key === 'ArrowDown' ? 1 : matches.length - 1;
        setHighlighted({ search, index: chosen ? (at + step) % matches.length : 0 });
        break;
      }
      case 'Enter':
        // A search without a match is not sent: it is mistyped, unless the list is closed.
        if (chosen) onChoose(chosen.text);
        break;
      case 'Escape':
        setClosed(true);
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  };

  const more =
    all.length > matches.length &&
    t('Showing the first {shown, number} of {all, number}. Search to find others.', {
      shown: matches.length,
      all: all.length,
    });
  const none =
    isOpen &&
    all.length === 0 &&
    (isFirst
      ? t('No quick replies yet. Add one below: “Quick replies”, then “Manage quick replies…”.')
      : t('No quick reply matches. Esc closes this list.'));
  const found = isOpen && t('{count, plural, one {# quick reply} other {# quick replies}}', { count: all.length });
  return {
    field: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': activeId && id,
      'aria-activedescendant': activeId,
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
    onKey,
    list: (
      <div className="slash-replies">
        <p role="status" className="visually-hidden">
          {none || more || found}
        </p>
        {isOpen && (
          // The field keeps the focus.
          <div className="popup list" onMouseDown={(event) => event.preventDefault()}>
            {matches.length > 0 && (
              <ul id={id} role="listbox" aria-label={t('Quick replies')}>
                {matches.map((reply, index) => (
                  <li
                    key={reply.id}
                    id={optionId(index)}
                    role="option"
                    aria-selected={index === at}
                    className="list-item"
                    data-highlighted={index === at || undefined}
                    onMouseMove={() => index !== at && setHighlighted({ search, index })}
                    onClick={() => onChoose(reply.text)}
                  >
                    <QuickReplyWords reply={reply} />
                  </li>
                ))}
              </ul>
            )}
            {(none || more) && <p className="list-empty hint">{none || more}</p>}
          </div>
        )}
      </div>
    ),
  };
}

/** The name of a quick reply and the start of its text. */
export function QuickReplyWords({ reply: { name, text } }: { reply: Pick<QuickReplyDto, 'name' | 'text'> }) {
  return (
    <span className="quick-reply-words">
      <strong dir="auto">{name}</strong>
      <span className="hint cut" dir="auto">
        {text}
      </span>
    </span>
  );
}
