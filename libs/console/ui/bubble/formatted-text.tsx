import { Fragment, type ReactNode } from 'react';
import { type Block, type Inline, parseText } from './whatsapp-text';

const TAGS = { bold: 'strong', italic: 'em', strike: 's' } as const;

/** Renders WhatsApp markup as React elements; the text is never parsed as HTML. */
export function FormattedText({ text }: { text: string }) {
  return parseText(text).map((block, index) => <Fragment key={index}>{blockOf(block)}</Fragment>);
}

function blockOf(block: Block): ReactNode {
  switch (block.kind) {
    case 'text':
      return (
        <p className="bubble-text" dir="auto">
          {inlinesOf(block.children)}
        </p>
      );
    case 'mono':
      return (
        <p className="bubble-text bubble-mono" dir="auto">
          {inlinesOf(block.children)}
        </p>
      );
    case 'quote':
      return (
        <blockquote className="bubble-text" dir="auto">
          {inlinesOf(block.children)}
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index} dir="auto">
          {inlinesOf(item)}
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}

function inlinesOf(inlines: readonly Inline[]): ReactNode {
  return inlines.map((inline, index) => <Fragment key={index}>{inlineOf(inline)}</Fragment>);
}

function inlineOf(inline: Inline): ReactNode {
  switch (inline.kind) {
    case 'text':
      return inline.text;
    case 'variable':
      return <span className="bubble-variable">{inline.name}</span>;
    case 'code':
      return <code>{inlinesOf(inline.children)}</code>;
    case 'link':
      return (
        <a href={inline.href} target="_blank" rel="noreferrer noopener nofollow">
          {inline.text}
        </a>
      );
    default: {
      const Tag = TAGS[inline.kind];
      return <Tag>{inlinesOf(inline.children)}</Tag>;
    }
  }
}
