"""Whether a mail may act, and what is done with one that proves too little."""
